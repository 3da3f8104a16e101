// Finds the links of a run of nccl-tests, and how much of their bandwidth it reached.

#include "queries/bandwidth_limits.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "queries/paths.h"
#include "queries/ranks.h"
#include "text/phrases.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

/// Bandwidth of a NIC of 10 Gbit/s, which NCCL also assumes when it cannot read the speed (src/graph/topo.cc).
constexpr double assumed_speed = 1.25;
constexpr double megabits = 8000;  // In 1 GB/s.

constexpr std::string_view all_lines = "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH prints it";
constexpr std::string_view all_output = "the output of every rank, from its first line, shows it";

/// Returns the GPU of the benchmark with the lowest NVLink bandwidth; null if no GPU is listed or one is not in the
/// table.
const GpuFigures* slowest_gpu(const Benchmark& benchmark) {
  const GpuFigures* slowest = nullptr;
  for (const BenchmarkRank& rank : benchmark.ranks) {
    const GpuFigures* const own = gpu_figures(rank.gpu.view());
    if (own == nullptr) return nullptr;
    if (slowest == nullptr || own->all_nvlinks() < slowest->all_nvlinks()) slowest = own;
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

/// Returns the rate that `ibstat` printed on the host for this NIC, in GB/s; 0 if it did not.
double ibstat_speed(const Model& model, const Host& host, std::string_view nic) {
  double fastest = 0;
  for (const Machine& machine : model.machines) {
    if (machine.host < 0 || &model.hosts[machine.host] != &host) continue;
    for (const MachineNic& one : machine.nics)
      if (one.name == nic && one.state == PortState::up) fastest = std::max(fastest, one.rate * 1000 / megabits);
  }
  return fastest;
}

/// Returns the bandwidth of a NIC in GB/s; 0 if it is not known. Ports that NCCL merged share one index. Only the
/// fastest of them counts, because a bound that is too low causes no wrong finding.
double speed_of(const Model& model, const Host& host, std::string_view network, int index) {
  double fastest = 0;
  for (const HostNic& nic : host.nics) {
    if (nic.network != network || nic.index != index) continue;
    if (nic.speed > 0)
      fastest = std::max(fastest, nic.speed / megabits);
    else if (nic.bandwidth > 0 && nic.bandwidth != assumed_speed)
      fastest = std::max(fastest, nic.bandwidth);
    else if (network == "IB")
      fastest = std::max(fastest, ibstat_speed(model, host, nic.name));
  }
  return fastest;
}

/// The NICs of a node: what they carry together, and how many they are.
struct NicUse {
  Figure figure;
  int count = 0;
  bool is_merged = false;  ///< Whether NCCL merged ports, so that they may carry more.
};

bool is_merged(const Host& host, std::string_view network, int index) {
  return std::ranges::count_if(host.nics,
                               [&](const HostNic& nic) { return nic.network == network && nic.index == index; }) > 1;
}

/// Returns the NICs of a node that `nics` selects: bit i is the NIC with index i. Not known if no bit is set, or if the
/// speed of any of these NICs is unknown; `way` is the reason then.
NicUse nics_of(const Model& model, const NodeUse& node, std::string_view network, std::uint64_t nics) {
  NicUse use;
  double slowest = std::numeric_limits<double>::max(), fastest = 0;
  for (int index = 0; index < 64; ++index) {
    if ((nics >> static_cast<unsigned>(index) & 1U) == 0) continue;
    const double speed = speed_of(model, *node.host, network, index);
    if (speed <= 0) return {.figure = {0, "the speed of a NIC is not in the log"}};
    use.figure.gigabytes += speed;
    slowest = std::min(slowest, speed);
    fastest = std::max(fastest, speed);
    ++use.count;
    use.is_merged = use.is_merged || is_merged(*node.host, network, index);
  }
  if (use.count == 0) return {.figure = {0, "no line shows which NICs the connections use"}};
  const std::string each = slowest == fastest ? concat(" of ", significant(fastest * 8), " Gb/s") : std::string{};
  use.figure.way = concat(count_text(use.count, "NIC"), each, " a node (", network, ")");
  return use;
}

/// Returns the machine of the node, if the log names its type and all of its GPUs are used.
const MachineFigures* machine_of(const Model& model, const Communicator& comm, const NodeUse& node) {
  const Process* const process = process_of(model, comm.ranks.front().process);
  const MachineFigures* const machine = process == nullptr ? nullptr : machine_figures(process->platform);
  return machine != nullptr && machine->network() > 0 && node.ranks == machine->gpus ? machine : nullptr;
}

NicUse nics_of(const MachineFigures& machine) {
  return {.figure = {machine.network(), concat("the EFA interfaces of each ", machine.name)}, .count = machine.nics};
}

/// Returns the network that a job over TCP sockets could have used instead: the instance's EFA interfaces, or the
/// node's RDMA adapters.
NicUse unused_fabric(const Model& model, const Communicator& comm, const NodeUse& node) {
  if (const MachineFigures* const machine = machine_of(model, comm, node)) return nics_of(*machine);
  std::uint64_t adapters = 0;
  for (const HostNic& nic : node.host->nics)
    if (nic.network == "IB" && nic.index >= 0 && nic.index < 64) adapters |= std::uint64_t{1} << nic.index;
  if (adapters == 0) return {.figure = {0, "the traffic runs over TCP sockets, whose limit is not known"}};
  NicUse use = nics_of(model, node, "IB", adapters);
  if (use.count > 0) use.figure.way = concat("the unused RDMA adapters of each node");
  return use;
}

/// The NICs that NCCL gives one GPU (src/graph/topo.cc, ncclTopoGetLocalNet), if they are spread evenly: its share, and
/// at least one.
Figure share_of_gpu(const NicUse& nics, double pcie, int gpus) {
  Figure own = nics.figure;
  if (nics.count > 0 && gpus > 0) own.gigabytes *= std::ceil(static_cast<double>(nics.count) / gpus) / nics.count;
  if (nics.count > 1) own.way = "the NICs of one GPU";
  return behind_pcie(std::move(own), pcie, 1);
}

void set_network(const NicUse& nics, double pcie, int gpus, Roads& roads) {
  Figure all = behind_pcie(nics.figure, pcie, gpus);
  if (roads.network.gigabytes > 0 && roads.network.gigabytes <= all.gigabytes) return;
  roads.network = std::move(all);
  roads.own = share_of_gpu(nics, pcie, gpus);
}

/// Returns the lowest NVLink bandwidth of all ranks' GPUs, from the topology dump or else from the table.
Figure least_nvlink(const Model& model, const Communicator& comm, const GpuFigures* gpu) {
  double least = std::numeric_limits<double>::max();
  for (const Rank& rank : comm.ranks) {
    double own = gpu == nullptr ? 0 : gpu->all_nvlinks();
    if (const Host* const host = model.host_of(rank.process))
      for (const HostGpu& one : host->gpus)
        if (rank.has_bus_id && one.bus_id == rank.bus_id && one.nvlink_bandwidth > 0) own = one.nvlink_bandwidth;
    if (own <= 0) return {};
    least = std::min(least, own);
  }
  return {least, "NVLink"};
}

/// Whether the topology dump or NVLS proves an NVSwitch for every rank. The number of links in the table is the number
/// to a switch.
bool has_nvswitch(const Model& model, const Communicator& comm) {
  return std::ranges::all_of(comm.ranks, [&](const Rank& rank) {
    const Process* const process = process_of(model, rank.process);
    const Host* const host = model.host_of(rank.process);
    return process != nullptr && host != nullptr && (host->nvlink == Nvlink::switched || process->nvls == 1);
  });
}

constexpr std::string_view several_groups =
    "the ranks ran in several groups at once (NCCL_TESTS_SPLIT), which may share links";
constexpr std::string_view no_path = "no line shows how the GPUs of a node are connected";
constexpr std::string_view other_path =
    "the GPUs of a node are not connected by NVLink alone, and other paths have no known limit";

/// Sets V if NVLink alone connects the GPUs of a node.
void set_inside(const Model& model, const Communicator& comm, const CommPaths& paths, const GpuFigures* gpu,
                JobRoads& job) {
  if (paths.inside == "NVLink")
    job.roads.inside = least_nvlink(model, comm, gpu);
  else
    job.unproven = paths.inside.empty() ? no_path : other_path;
  job.roads.nvls = paths.nvls.value_or(gpu != nullptr && gpu->nvls);
}

/// Sets N and O from the node with the lowest bandwidth.
void set_between(const Model& model, const Communicator& comm, const CommPaths& paths,
                 const std::vector<NodeUse>& nodes, const GpuFigures* gpu, JobRoads& job) {
  const bool is_socket = paths.between == "NET/Socket";
  const double pcie = gpu == nullptr ? 0 : gpu->pcie_bandwidth();
  if (!paths.between.starts_with("NET/") || contains(paths.between, " + ")) {
    job.unknown = "no single network connects the nodes";
    return;
  }
  if (!is_socket && paths.gdr != true)
    job.unproven =
        "not all traffic between nodes uses GPUDirect RDMA, and the way through host memory has no known limit";
  for (const NodeUse& node : nodes) {
    const NicUse nics = is_socket ? unused_fabric(model, comm, node)
                                  : nics_of(model, node, std::string_view(paths.between).substr(4), node.nics);
    if (nics.count == 0) {
      job.unknown = nics.figure.way;
      job.add = is_socket ? "iperf3 between two nodes measures it" : all_lines;
      return;
    }
    if (nics.is_merged) job.inexact = "NCCL has merged ports of NICs";
    set_network(nics, pcie, node.ranks, job.roads);
  }
  if (is_socket) job.roads.inside = {};  // It is the unused network that such a job is compared with.
  // GPUs without NVLink are often in slots with fewer lanes than they have.
  if (job.unproven.empty() && (gpu == nullptr || gpu->nvlinks <= 0 || pcie <= 0))
    job.unproven = "the PCIe link of the GPUs is not known";
}

JobRoads unknown(std::string_view why, std::string_view add) {
  return {.roads = {}, .unknown = std::string(why), .add = std::string(add), .unproven = {}, .inexact = {}};
}

/// The links of a run whose communicator is not in the input: on one host, the NVLinks of the GPUs.
JobRoads roads_without_communicator(const Benchmark& benchmark, const GpuFigures* gpu) {
  constexpr std::string_view why = "the input has no communicator of the benchmark";
  const double nvlink = gpu == nullptr ? 0 : gpu->all_nvlinks();
  if (count_hosts(benchmark) != 1 || nvlink <= 0)
    return unknown(why, concat(all_lines, "; `nccl-analyze expect-bandwidth` has it for some machines"));
  JobRoads job;
  job.unproven = why;
  job.add = all_lines;
  job.roads.gpus = static_cast<int>(benchmark.ranks.size());
  job.roads.nvls = gpu->nvls;
  job.roads.inside = {nvlink, "NVLink"};
  return job;
}

}  // namespace

JobRoads find_roads(const Model& model, const Benchmark& benchmark) {
  const GpuFigures* const gpu = slowest_gpu(benchmark);
  if (benchmark.groups() > 1) return unknown(several_groups, "a run without groups has the links for itself");
  if (benchmark.communicator < 0) return roads_without_communicator(benchmark, gpu);
  const Communicator& comm = model.communicators[benchmark.communicator];
  if (comm.ranks.empty() || static_cast<int>(comm.ranks.size()) != comm.nranks)
    return unknown("not all ranks of the run are in the input", all_output);
  if (comm.ranks.size() != count_ranks(model, benchmark))
    return unknown("the run has other ranks than its communicator", "");
  const std::vector<NodeUse> nodes = node_uses(model, comm);
  if (nodes.empty()) return unknown("which GPUs of which nodes the ranks use is not known", all_output);
  const CommPaths paths = find_paths(model, comm);
  const auto [fewest, most] = std::ranges::minmax(nodes, {}, &NodeUse::ranks);
  JobRoads job;
  job.roads.hosts = static_cast<int>(nodes.size());
  job.roads.gpus = fewest.ranks;
  job.roads.is_even = fewest.ranks == most.ranks;
  if (most.ranks > 1) set_inside(model, comm, paths, gpu, job);
  if (nodes.size() > 1) {
    set_between(model, comm, paths, nodes, gpu, job);
  } else if (job.roads.inside.gigabytes <= 0) {
    job.unknown = !job.unproven.empty() ? job.unproven : "the NVLinks of a GPU are not known";
    job.add = all_lines;
  } else if (job.unproven.empty() && !has_nvswitch(model, comm)) {
    job.unproven = "it is computed for GPUs behind an NVSwitch only, which no line shows";
  }
  return job;
}

Roads roads_of(const MachineFigures& machine, int hosts) {
  const GpuFigures* const gpu = gpu_figures(machine.gpu);
  const double pcie = gpu == nullptr ? 0 : gpu->pcie_bandwidth();
  // The smallest group of hosts that NVLink joins limits the others.
  const int rest = hosts % machine.nvlink_hosts;
  const int joined = rest > 0 ? rest : machine.nvlink_hosts;
  Roads roads;
  roads.hosts = (hosts + machine.nvlink_hosts - 1) / machine.nvlink_hosts;
  roads.gpus = machine.gpus * joined;
  roads.is_even = rest == 0 || roads.hosts == 1;
  roads.nvls = gpu != nullptr && gpu->nvls;
  roads.one_link = gpu != nullptr && gpu->nvlinks == 0;
  if (roads.one_link)
    roads.inside = {pcie, "PCIe of the GPUs"};
  else if (gpu != nullptr)
    roads.inside = {gpu->all_nvlinks(), "NVLink"};
  if (machine.network() > 0)
    set_network({.figure = {machine.network() * joined, "NICs"}, .count = machine.nics * joined}, pcie, roads.gpus,
                roads);
  return roads;
}

std::size_t count_ranks(const Model& model, const Benchmark& benchmark) {
  if (!benchmark.ranks.empty() || benchmark.communicator < 0) return benchmark.ranks.size();
  return static_cast<std::size_t>(std::max(model.communicators[benchmark.communicator].nranks, 0));
}

std::optional<Collective> collective_of(const Benchmark& benchmark, std::size_t of_ranks) {
  std::string name;
  for (const char c : benchmark.operation)
    if (c != '_' && c != ' ') name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto is = [&](std::string_view word) { return name.starts_with(word); };
  if (is("alltoallv")) return std::nullopt;
  if (is("allreduce")) return Collective::all_reduce;
  if (is("allgather")) return Collective::all_gather;
  if (is("reducescatter")) return Collective::reduce_scatter;
  if (is("reduce") || is("broadcast")) return Collective::broadcast;
  if (is("alltoall")) return Collective::all_to_all;
  if (is("sendrecv")) return Collective::send_recv;
  const Measurement* const peak = benchmark.peak();
  if (!name.empty() || peak == nullptr || peak->algbw <= 0) return std::nullopt;
  // The ratio of AllReduce is above 1 from three ranks on. Sends and receives have a redop and the ratio of Reduce.
  const auto ranks = static_cast<double>(of_ranks);
  const double ratio = peak->busbw / peak->algbw;
  const bool is_all_reduce = ranks > 2 && std::abs(ratio - 2 * (ranks - 1) / ranks) < 0.02;
  return is_all_reduce ? std::optional{Collective::all_reduce} : std::nullopt;
}

namespace {

/// Whether the list of ranks has at least eight GPUs of one host, which an NVSwitch joins if they have NVLinks to one.
bool is_whole_board(const Benchmark& benchmark) {
  std::set<std::string_view> gpus;
  for (const BenchmarkRank& rank : benchmark.ranks) gpus.insert(rank.bus_id.view());
  return gpus.size() >= 8 && gpus.size() == benchmark.ranks.size() && !gpus.contains("");
}

/// Whether a process of the benchmark has a rank in a communicator. It is of another size than the benchmark if none of
/// the communicators is that of the benchmark.
bool has_other_communicator(const Model& model, const Benchmark& benchmark) {
  return std::ranges::any_of(benchmark.ranks, [&](const BenchmarkRank& rank) {
    return rank.process >= 0 && first_communicator_of(model, rank.process) >= 0;
  });
}

/// Why the ceilings of these links say nothing about the run, as a clause; empty if they do.
std::string_view reason_against(const Model& model, const JobRoads& job, const Benchmark& benchmark) {
  if (!job.unknown.empty()) return job.unknown;
  if (!job.inexact.empty()) return job.inexact;
  const bool is_table =
      benchmark.communicator < 0 && is_whole_board(benchmark) && !has_other_communicator(model, benchmark);
  return is_table ? std::string_view{} : job.unproven;
}

/// Keeps the lowest ceiling that the measurement does not exceed, and those above it.
void compare_with(std::vector<Ceiling> ceilings, Reach& reach) {
  constexpr double rounding = 1.02;  // Figures are rounded, and NCCL's of NVLink are estimates.
  for (Ceiling& ceiling : ceilings) {
    if (reach.measured->busbw > ceiling.gigabytes * rounding) continue;
    if (reach.ceiling)
      reach.higher.push_back(std::move(ceiling));
    else
      reach.ceiling = std::move(ceiling);
  }
  if (!reach.ceiling)
    reach.unknown = ceilings.empty() ? "the nodes have different numbers of ranks"
                                     : "the formulas for rings, trees and NVLink SHARP give less";
}

}  // namespace

Reach find_reach(const Model& model, const Benchmark& benchmark) {
  Reach reach;
  for (const Measurement& one : benchmark.measurements)
    if (reach.measured == nullptr || one.size > reach.measured->size ||
        (one.size == reach.measured->size && one.busbw > reach.measured->busbw))
      reach.measured = &one;
  if (reach.measured != nullptr && reach.measured->size < smallest_judged) reach.measured = nullptr;
  const std::size_t ranks = count_ranks(model, benchmark);
  if (reach.measured == nullptr || ranks == 1) return reach;
  if (ranks == 0) {
    reach.unknown = "the table has no list of ranks";
    reach.add = "nccl-tests prints it below \"Using devices\"";
    return reach;
  }
  JobRoads job = find_roads(model, benchmark);
  reach.unknown = reason_against(model, job, benchmark);
  if (!reach.unknown.empty()) {
    reach.add = std::move(job.add);
    return reach;
  }
  if (const std::optional<Collective> collective = collective_of(benchmark, ranks))
    compare_with(ceilings_of(*collective, job.roads), reach);
  else
    reach.unknown = "the operation has no known limit";
  return reach;
}

BandwidthLimit bandwidth_limit(const Model& model, const Benchmark& benchmark) {
  JobRoads job = find_roads(model, benchmark);
  if (job.unknown.empty()) job.unknown = std::move(job.unproven);
  if (!job.unknown.empty()) return {.gigabytes = 0, .way = {}, .unknown = std::move(job.unknown)};
  Ceiling ring = std::move(ceilings_of(Collective::all_reduce, job.roads).front());
  return {.gigabytes = ring.gigabytes, .way = std::move(ring.way), .unknown = {}};
}

}  // namespace nccl_analyze
