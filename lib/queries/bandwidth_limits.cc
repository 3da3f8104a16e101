// Computes the bus bandwidth that the paths of a communicator can carry.

#include "queries/bandwidth_limits.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include "queries/paths.h"
#include "queries/ranks.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

/// The bandwidth of the links of a GPU, in GB/s in one direction. The number of NVLinks comes from NVIDIA's data
/// sheets, the usable bandwidth of one link from NCCL 2.30 (src/graph/topo.h: SM80_NVLINK_BW 20.0, SM90_NVLINK_BW 20.6,
/// SM100_NVLINK_BW 40.1), the bandwidth of PCIe x16 from src/graph/topo.cc (kvDictPciGen: 24 for Gen4, 48 for Gen5).
struct GpuFigures {
  std::string_view words;  ///< Consecutive words of the product name.
  double nvlink;           ///< All links to an NVSwitch together; 0: not known.
  double pcie;
};
constexpr std::array<GpuFigures, 10> gpu_figures{{
    {"A100-SXM4-40GB", 12 * 20.0, 24},
    {"A100-SXM4-80GB", 12 * 20.0, 24},
    {"A100-SXM-80GB", 12 * 20.0, 24},
    {"A800-SXM4-80GB", 8 * 20.0, 24},
    {"H100 80GB HBM3", 18 * 20.6, 48},
    {"H200", 18 * 20.6, 48},
    {"H800", 8 * 20.6, 48},
    {"H20", 18 * 20.6, 48},
    {"H20-3e", 18 * 20.6, 48},
    {"B200", 18 * 40.1, 48},
}};

/// The number of GPUs of an instance and the bandwidth of all its EFA interfaces together, in GB/s (Amazon EC2 User
/// Guide, "Accelerated computing instances", network specifications, 2025).
struct InstanceFigures {
  std::string_view type;
  int gpus;
  double network;
};
constexpr std::array<InstanceFigures, 6> instance_figures{{
    {"p4d.24xlarge", 8, 50},
    {"p4de.24xlarge", 8, 50},
    {"p5.48xlarge", 8, 400},
    {"p5e.48xlarge", 8, 400},
    {"p5en.48xlarge", 8, 400},
    {"p6-b200.48xlarge", 8, 400},
}};

/// Bandwidth of a NIC of 10 Gbit/s, which NCCL also assumes when it cannot read the speed (src/graph/topo.cc).
constexpr double assumed_speed = 1.25;

/// Whether the product name contains `words` as whole words and names no other product (`H200 NVL`, `H100 PCIe`) and no
/// MIG partition.
bool names(std::string_view product, std::string_view words) {
  const std::size_t at = product.find(words);
  if (at == std::string_view::npos || (at > 0 && product[at - 1] != ' ')) return false;
  const std::string_view rest = product.substr(at + words.size());
  return (rest.empty() || rest.front() == ' ') && !contains(rest, "NVL") && !contains(rest, "PCIe") &&
         !contains(rest, "MIG");
}

const GpuFigures* figures_of(std::string_view product) {
  const auto found =
      std::ranges::find_if(gpu_figures, [&](const GpuFigures& one) { return names(product, one.words); });
  return found == gpu_figures.end() ? nullptr : &*found;
}

/// Returns the GPU of the benchmark with the lowest NVLink bandwidth; null if no GPU is listed or one is not in the
/// table.
const GpuFigures* slowest_gpu(const Benchmark& benchmark) {
  const GpuFigures* slowest = nullptr;
  for (const BenchmarkRank& rank : benchmark.ranks) {
    const GpuFigures* const own = figures_of(rank.gpu.view());
    if (own == nullptr) return nullptr;
    if (slowest == nullptr || own->nvlink < slowest->nvlink) slowest = own;
  }
  return slowest;
}

/// The ranks of a node, and the NICs that their connections use.
struct NodeUse {
  const Host* host = nullptr;
  int ranks = 0;
  std::uint64_t nics = 0;
};

/// Returns the ranks and NICs of each node; empty if the node or the host of any rank is unknown.
std::vector<NodeUse> node_uses(const Model& model, const Communicator& comm) {
  std::map<Index, NodeUse> nodes;
  for (const Rank& rank : comm.ranks) {
    const Host* const host = model.host_of(rank.process);
    if (rank.node < 0 || host == nullptr) return {};
    NodeUse& node = nodes[rank.node];
    node.host = host;
    ++node.ranks;
    node.nics |= rank.nics;
  }
  std::vector<NodeUse> uses;
  for (const auto& [number, use] : nodes) uses.push_back(use);
  return uses;
}

/// Returns the bandwidth of a NIC in GB/s; 0 if it is not known. Ports that NCCL merged share one index. Only the
/// fastest of them counts, because a bound that is too low causes no wrong finding.
double speed_of(const Host& host, std::string_view network, int index) {
  constexpr double megabits = 8000;
  double fastest = 0;
  for (const HostNic& nic : host.nics) {
    if (nic.network != network || nic.index != index) continue;
    if (nic.speed > 0)
      fastest = std::max(fastest, nic.speed / megabits);
    else if (nic.bandwidth > 0 && nic.bandwidth != assumed_speed)
      fastest = std::max(fastest, nic.bandwidth);
  }
  return fastest;
}

BandwidthLimit unknown(std::string why) { return {.gigabytes = 0, .way = {}, .unknown = std::move(why)}; }

/// Returns the total bandwidth of the NICs of a node that `nics` selects: bit i is the NIC with index i. Unknown if no
/// bit is set, or if the speed of any of these NICs is unknown.
BandwidthLimit nics_limit(const NodeUse& node, std::string_view network, std::uint64_t nics) {
  BandwidthLimit limit;
  std::size_t count = 0;
  for (int index = 0; index < 64; ++index) {
    if ((nics >> static_cast<unsigned>(index) & 1U) == 0) continue;
    const double speed = speed_of(*node.host, network, index);
    if (speed <= 0) return unknown("the speed of a NIC is not in the log");
    limit.gigabytes += speed;
    ++count;
  }
  if (count == 0) return unknown("no line shows which NICs the connections use");
  limit.way = concat(count_text(count, "NIC"), " of each node (", network, ")");
  return limit;
}

/// Returns the bandwidth of the network that a job over TCP sockets could have used instead: that of the instance's EFA
/// interfaces, or of the node's RDMA adapters.
BandwidthLimit unused_fabric(const Model& model, const Communicator& comm, const NodeUse& node) {
  const Process* const process = process_of(model, comm.ranks.front().process);
  for (const InstanceFigures& one : instance_figures)
    if (process != nullptr && process->platform == one.type && node.ranks == one.gpus)
      return {one.network, concat("the EFA interfaces of each ", one.type), {}};
  std::uint64_t adapters = 0;
  for (const HostNic& nic : node.host->nics)
    if (nic.network == "IB" && nic.index >= 0 && nic.index < 64) adapters |= std::uint64_t{1} << nic.index;
  if (adapters == 0) return unknown("the traffic runs over TCP sockets, whose limit is not known");
  BandwidthLimit limit = nics_limit(node, "IB", adapters);
  if (limit.gigabytes > 0) limit.way = concat("the unused RDMA adapters of each node");
  return limit;
}

BandwidthLimit network_limit(const Model& model, const Communicator& comm, const CommPaths& paths, const NodeUse& node,
                             const GpuFigures* gpu) {
  const bool is_socket = paths.between == "NET/Socket";
  if (!is_socket && paths.gdr != true)
    return unknown(
        "not all traffic between nodes uses GPUDirect RDMA, and the way through host memory has no known limit");
  BandwidthLimit limit = is_socket ? unused_fabric(model, comm, node)
                                   : nics_limit(node, std::string_view(paths.between).substr(4), node.nics);
  if (limit.gigabytes <= 0) return limit;
  if (gpu == nullptr) return unknown("the PCIe link of the GPUs is not known");
  const double pcie = gpu->pcie * node.ranks;
  if (pcie < limit.gigabytes) limit = {pcie, "PCIe between GPUs and NICs", {}};
  return limit;
}

/// Returns the lowest NVLink bandwidth of all ranks' GPUs, from the topology dump or else from the table. Unknown
/// without an NVSwitch, which the dump or NVLS proves, because the table applies only to GPUs at one.
BandwidthLimit nvlink_limit(const Model& model, const Communicator& comm, const GpuFigures* gpu) {
  double least = std::numeric_limits<double>::max();
  for (const Rank& rank : comm.ranks) {
    const Process* const process = process_of(model, rank.process);
    const Host* const host = model.host_of(rank.process);
    if (process == nullptr || host == nullptr) return unknown("a rank has no host");
    if (host->nvlink != Nvlink::switched && process->nvls != 1) return unknown("no line shows an NVSwitch");
    double own = gpu == nullptr ? 0 : gpu->nvlink;
    for (const HostGpu& one : host->gpus)
      if (rank.has_bus_id && one.bus_id == rank.bus_id && one.nvlink_bandwidth > 0) own = one.nvlink_bandwidth;
    if (own <= 0) return unknown("the NVLinks of a GPU are not known");
    least = std::min(least, own);
  }
  return {least, "NVLink", {}};
}

bool is_one_network(std::string_view between) { return between.starts_with("NET/") && !contains(between, " + "); }

}  // namespace

BandwidthLimit bandwidth_limit(const Model& model, const Benchmark& benchmark) {
  if (benchmark.communicator < 0) return unknown("the input has no communicator of the benchmark");
  const Communicator& comm = model.communicators[benchmark.communicator];
  if (comm.ranks.empty() || static_cast<int>(comm.ranks.size()) != comm.nranks)
    return unknown("not all ranks of the benchmark are in the input");
  const std::vector<NodeUse> nodes = node_uses(model, comm);
  if (nodes.empty()) return unknown("the nodes of the ranks are not known");
  const CommPaths paths = find_paths(model, comm);
  const GpuFigures* const gpu = slowest_gpu(benchmark);
  const bool has_peers = std::ranges::any_of(nodes, [](const NodeUse& node) { return node.ranks > 1; });
  if (has_peers && paths.inside.empty()) return unknown("no line shows how the GPUs of a node are connected");
  if (has_peers && paths.inside != "NVLink")
    return unknown("the GPUs of a node are not connected by NVLink alone, and other paths have no known limit");
  if (nodes.size() == 1) return nvlink_limit(model, comm, gpu);
  if (!is_one_network(paths.between)) return unknown("no single network connects the nodes");
  BandwidthLimit least;
  for (const NodeUse& node : nodes) {
    BandwidthLimit own = network_limit(model, comm, paths, node, gpu);
    if (!own.unknown.empty()) return own;
    if (least.gigabytes <= 0 || own.gigabytes < least.gigabytes) least = std::move(own);
  }
  return least;
}

}  // namespace nccl_analyze
