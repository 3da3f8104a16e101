// Completes the hosts: their processes and GPUs, and how the GPUs reach each other and the network.

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>
#include <vector>

#include "model/host_table.h"
#include "model/resolve/gpus.h"
#include "model/resolve/passes.h"
#include "model/stable_sort.h"

namespace nccl_analyze::builder {

namespace {

bool is_gpu_of(const HostGpu& gpu, const Rank& rank) {
  return rank.bus_id != 0 ? gpu.bus_id == rank.bus_id : rank.nvml_dev >= 0 && gpu.nvml_dev == rank.nvml_dev;
}

/// Bus id and NVML index.
using GpuIds = std::pair<std::uint64_t, int>;

/// Merges the GPUs that ranks use into the GPUs of a host. GPUs that are already known get the NVML index.
void add_gpus_of_host(std::vector<HostGpu>& gpus, std::vector<GpuIds>& used) {
  for (const HostGpu& gpu : gpus) used.emplace_back(gpu.bus_id, gpu.nvml_dev);
  std::sort(used.begin(), used.end());
  std::vector<HostGpu> all;
  for (const auto& [bus_id, nvml_dev] : used) {
    const bool is_known =
        !all.empty() && all.back().bus_id == bus_id && (bus_id != 0 || all.back().nvml_dev == nvml_dev);
    if (!is_known) all.emplace_back().bus_id = bus_id;
    all.back().nvml_dev = nvml_dev;
  }
  const auto by_bus_id = [](const HostGpu& a, const HostGpu& b) { return a.bus_id < b.bus_id; };
  for (HostGpu& dumped : gpus) {
    HostGpu& same = *std::lower_bound(all.begin(), all.end(), dumped, by_bus_id);
    dumped.nvml_dev = same.nvml_dev;
    same = std::move(dumped);
  }
  all.shrink_to_fit();
  gpus = std::move(all);
}

/// Adds the GPUs of ranks to the GPUs of topology dumps. `with_bus_id`: takes the ranks with a bus id. Otherwise takes
/// the NVML indices of ranks, but only on hosts without a known GPU: elsewhere, the GPU of a rank without a bus id is
/// most likely a known one.
void add_gpus_of_hosts(Model& model, bool with_bus_id) {
  Table<std::vector<GpuIds>> used(model.hosts.size());
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (model.host_of(rank.process) != nullptr && (with_bus_id ? rank.bus_id != 0 : rank.nvml_dev >= 0))
        used[model.processes[rank.process].host_index].emplace_back(with_bus_id ? rank.bus_id : 0, rank.nvml_dev);
  for (std::size_t i = 0; i < used.size(); ++i)
    if (with_bus_id || model.hosts[i].gpus.empty()) add_gpus_of_host(model.hosts[i].gpus, used[i]);
}

Host* host_of_rank(Model& model, const Communicator& comm, int number) {
  const auto found = std::lower_bound(comm.ranks.begin(), comm.ranks.end(), number,
                                      [](const Rank& rank, int wanted) { return rank.rank < wanted; });
  if (found == comm.ranks.end() || found->rank != number || model.host_of(found->process) == nullptr) return nullptr;
  return &model.hosts[model.processes[found->process].host_index];
}

void count_gdr(Model& model, const Communicator& comm, const ConnectionBundle& bundle) {
  const std::string& transport = comm.transports[bundle.transport];
  if (!transport.starts_with("NET/") || transport == "NET/Socket") return;
  const auto count = [&](std::uint64_t seen, int rank, std::uint64_t gdr, bool receives) {
    Host* const host = seen != 0 ? host_of_rank(model, comm, rank) : nullptr;
    if (host == nullptr) return;
    if (receives) host->receives = true;
    host->network_ends += static_cast<std::uint64_t>(std::popcount(seen));
    host->gdr_ends += static_cast<std::uint64_t>(std::popcount(gdr));
  };
  count(bundle.seen_send, bundle.from, bundle.gdrdma_send, false);
  count(bundle.seen_receive, bundle.to, bundle.gdrdma_receive, true);
}

bool is_nvlink(PathType path) { return path == PathType::nvl || path == PathType::nvb; }

}  // namespace

Index find_gpu(const Host& host, const Rank& rank) {
  const auto less = [](const HostGpu& gpu, std::uint64_t bus_id) { return gpu.bus_id < bus_id; };
  const auto from =
      rank.bus_id == 0 ? host.gpus.begin() : std::lower_bound(host.gpus.begin(), host.gpus.end(), rank.bus_id, less);
  const auto to = rank.bus_id == 0 || from == host.gpus.end() ? host.gpus.end() : from + 1;
  const auto found = std::find_if(from, to, [&](const HostGpu& gpu) { return is_gpu_of(gpu, rank); });
  return found == to ? -1 : static_cast<Index>(found - host.gpus.begin());
}

void assign_hosts(BuilderState& state) {
  Model& model = state.model;
  HostTable table;
  for (Process& process : model.processes)
    if (!process.host.empty() || !process.pod.empty())
      process.host_index = table.find_or_add({process.host, process.pod, process.container});
  Table<Host> hosts;
  hosts.reserve(table.hosts().size());
  for (const HostNames& names : table.hosts()) {
    Host& made = hosts.emplace_back();
    made.name = names.name;
    made.pod = names.pod;
    made.container = names.container;
  }
  for (HostState& one : state.hosts)
    if (const Index known = table.find({one.host.name, one.host.pod, one.host.container}); known >= 0)
      hosts[known] = std::move(one.host);
  const Table<Index> position = sort_stably(hosts, [](const Host& a, const Host& b) {
    return std::tie(a.name, a.pod, a.container) < std::tie(b.name, b.pod, b.container);
  });
  for (Process& process : model.processes)
    if (process.host_index >= 0) process.host_index = position[process.host_index];
  model.hosts = std::move(hosts);
}

void add_gpus(Model& model) {
  add_gpus_of_hosts(model, true);
  add_gpus_of_hosts(model, false);
}

void count_network_ends(Model& model) {
  for (const Communicator& comm : model.communicators) {
    comm.connections.each_bundle([&](const ConnectionBundle& bundle) {
      count_gdr(model, comm, bundle);
      if (comm.transports[bundle.transport] != "P2P/MNNVL") return;
      Host* const host = host_of_rank(model, comm, bundle.from);
      if (host != nullptr && host->nvlink == Nvlink::unknown) host->nvlink = Nvlink::present;
    });
  }
}

void find_nvlink(Model& model) {
  for (const Process& process : model.processes) {
    if (process.host_index < 0) continue;
    Host& host = model.hosts[process.host_index];
    const PathType worst = path_type(process.worst_path);
    if (host.nvlink == Nvlink::unknown && (process.nvlink || is_nvlink(worst))) host.nvlink = Nvlink::present;
    if (host.topology_at.line == 0 && host.gpus.size() > 1) host.worst_path = std::max(host.worst_path, worst);
  }
}

}  // namespace nccl_analyze::builder

namespace nccl_analyze {

std::vector<GpuUse> gpu_uses(const Model& model) {
  std::vector<GpuUse> uses;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    for (const Rank& rank : model.communicators[i].ranks) {
      const Host* const host = model.host_of(rank.process);
      if (host == nullptr) continue;
      const Index gpu = builder::find_gpu(*host, rank);
      if (gpu < 0) continue;
      const auto place = static_cast<Index>(host - model.hosts.data());
      uses.push_back({place, gpu, static_cast<Index>(i), rank.rank, rank.cuda_dev});
    }
  }
  std::sort(uses.begin(), uses.end(), [](const GpuUse& a, const GpuUse& b) {
    return std::tie(a.host, a.gpu, a.communicator, a.rank) < std::tie(b.host, b.gpu, b.communicator, b.rank);
  });
  return uses;
}

}  // namespace nccl_analyze
