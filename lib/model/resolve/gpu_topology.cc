// Hosts: the processes on them, their GPUs, their NICs, and which GPU uses which NIC.

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>

#include "model/host_table.h"
#include "model/resolve/passes.h"

namespace nccl_analyze::builder {

namespace {

/// Each process's place; hosts without a process go, those that nobody told of come.
void assign_places(Model& model) {
  HostTable table;
  for (Process& process : model.processes)
    if (!process.host.empty() || !process.pod.empty())
      process.place = table.find_or_add({process.host, process.pod, process.container});
  std::vector<Index> order(table.hosts().size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const HostNames& x = table.hosts()[a];
    const HostNames& y = table.hosts()[b];
    return std::tie(x.name, x.pod, x.container) < std::tie(y.name, y.pod, y.container);
  });
  std::vector<Index> position(order.size());
  std::vector<Host> hosts(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const HostNames& names = table.hosts()[order[i]];
    position[order[i]] = static_cast<Index>(i);
    hosts[i].name = names.name;
    hosts[i].pod = names.pod;
    hosts[i].container = names.container;
  }
  for (Host& told : model.hosts)
    if (const Index place = table.find({told.name, told.pod, told.container}); place >= 0)
      hosts[position[place]] = std::move(told);
  for (Process& process : model.processes)
    if (process.place >= 0) process.place = position[process.place];
  model.hosts = std::move(hosts);
}

/// The bus id tells GPUs apart; where none was printed, NVML's number does.
bool is_gpu_of(const HostGpu& gpu, const Rank& rank) {
  return rank.bus_id != 0 ? gpu.bus_id == rank.bus_id : rank.nvml_dev >= 0 && gpu.nvml_dev == rank.nvml_dev;
}

Index find_gpu(const Host& host, const Rank& rank) {
  const auto less = [](const HostGpu& gpu, std::uint64_t bus_id) { return gpu.bus_id < bus_id; };
  const auto from =
      rank.bus_id == 0 ? host.gpus.begin() : std::lower_bound(host.gpus.begin(), host.gpus.end(), rank.bus_id, less);
  const auto to = rank.bus_id == 0 || from == host.gpus.end() ? host.gpus.end() : from + 1;
  const auto found = std::find_if(from, to, [&](const HostGpu& gpu) { return is_gpu_of(gpu, rank); });
  return found == to ? -1 : static_cast<Index>(found - host.gpus.begin());
}

/// Bus id and NVML's number.
using GpuIds = std::pair<std::uint64_t, int>;

/// Adds GPUs that are not there yet, and NVML's number to those that are.
void add_gpus(std::vector<HostGpu>& gpus, std::vector<GpuIds>& used) {
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

/// GPUs of ranks join those of the topology dumps. Ranks without a bus id count only where no GPU has one: else theirs
/// is likely one of those.
void add_gpus(Model& model, bool with_bus_id) {
  std::vector<std::vector<GpuIds>> used(model.hosts.size());
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (model.host_of(rank.process) != nullptr && (with_bus_id ? rank.bus_id != 0 : rank.nvml_dev >= 0))
        used[model.processes[rank.process].place].emplace_back(with_bus_id ? rank.bus_id : 0, rank.nvml_dev);
  for (std::size_t i = 0; i < used.size(); ++i)
    if (with_bus_id || model.hosts[i].gpus.empty()) add_gpus(model.hosts[i].gpus, used[i]);
}

std::vector<HostNic> nics_in(std::string_view list) {
  std::vector<HostNic> nics;
  NicList rest(list);
  for (Nic port; rest.next(port);) {
    HostNic& told = nics.emplace_back();
    told.network = "IB";
    told.index = port.index;
    told.name = std::string(port.device);
    told.port = port.port;
    told.link = std::string(port.link);
  }
  return nics;
}

std::vector<HostNic> interfaces_in(std::string_view list) {
  std::vector<HostNic> interfaces;
  InterfaceList rest(list);
  for (NetworkInterface one; rest.next(one);) {
    HostNic& told = interfaces.emplace_back();
    told.network = "Socket";
    told.index = one.index;
    told.name = std::string(one.name);
  }
  return interfaces;
}

/// The lists that processes print join what was told of single NICs.
void add_nics(Model& model) {
  struct Lists {
    Text nics, interfaces;
  };
  Text list;  // the last that was read: hosts of one kind print the same
  std::vector<HostNic> listed;
  std::vector<Lists> heard(model.hosts.size());  // processes of one host print the same, or have not come so far
  const auto is_news = [](const Text& told, const Text& before) { return !told.empty() && told != before; };
  for (const Process& process : model.processes) {
    if (process.place < 0) continue;
    Lists& last = heard[process.place];
    const bool new_nics = is_news(process.ib_devices, last.nics);
    const bool new_interfaces = is_news(process.socket_devices, last.interfaces);
    if (!new_nics && !new_interfaces) continue;
    Host& host = model.hosts[process.place];
    if (new_nics && process.ib_devices != list) {
      list = process.ib_devices;
      listed = nics_in(list);
    }
    bool room = true;
    if (new_nics)
      for (const HostNic& told : listed) room = merge_nic(host, told) && room;
    if (new_interfaces)
      for (const HostNic& told : interfaces_in(process.socket_devices)) room = merge_nic(host, told) && room;
    if (!room) {
      ++model.dropped;
      continue;
    }
    if (new_nics) last.nics = process.ib_devices;
    if (new_interfaces) last.interfaces = process.socket_devices;
  }
}

/// The network that the connections of a rank go over.
std::string_view network_of(const Communicator& comm, const Process& process) {
  std::string_view only;
  for (const std::string& transport : comm.transports) {
    if (!transport.starts_with("NET/")) continue;
    if (!only.empty()) return device_list_of(process.network);
    only = std::string_view{transport}.substr(4);
  }
  return device_list_of(only.empty() ? std::string_view{process.network} : only);
}

/// A process numbers the NICs of its own list: its neighbours may have been given others.
std::string_view name_of(const Process& process, std::string_view network, int index) {
  NicList nics(network == "IB" ? process.ib_devices.view() : std::string_view{});
  for (Nic port; nics.next(port);)
    if (port.index == index) return port.device;
  InterfaceList interfaces(network == "Socket" ? process.socket_devices.view() : std::string_view{});
  for (NetworkInterface one; interfaces.next(one);)
    if (one.index == index) return one.name;
  return {};
}

void use_nic(Host& host, Index gpu, const HostNic& used) {
  if (!merge_nic(host, used)) return;
  for (std::size_t i = 0; i < host.nics.size(); ++i)
    if (host.nics[i].network == used.network && host.nics[i].index == used.index &&
        (used.name.empty() || host.nics[i].name.empty() || host.nics[i].name == used.name))
      host.gpus[gpu].nics.push_back(static_cast<Index>(i));
}

void add_uses(Model& model) {
  for (const Communicator& comm : model.communicators) {
    for (const Rank& rank : comm.ranks) {
      if (rank.nics == 0 || model.host_of(rank.process) == nullptr) continue;
      const Process& process = model.processes[rank.process];
      Host& host = model.hosts[process.place];
      const Index gpu = find_gpu(host, rank);
      if (gpu < 0) continue;
      HostNic used;
      used.network = network_of(comm, process);
      for (used.index = 0; used.index < 64; ++used.index) {
        if ((rank.nics >> static_cast<unsigned>(used.index) & 1U) == 0) continue;
        used.name = name_of(process, used.network, used.index);
        use_nic(host, gpu, used);
      }
    }
  }
}

/// Last, because it renumbers what GPUs refer to.
void sort_nics(Host& host) {
  std::vector<Index> order(host.nics.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  const auto key = [&](Index i) {
    const HostNic& nic = host.nics[i];
    return std::tie(nic.network, nic.index, nic.name, nic.port);
  };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });
  std::vector<HostNic> sorted;
  sorted.reserve(order.size());
  std::vector<Index> position(order.size());
  for (const Index old : order) {
    position[old] = static_cast<Index>(sorted.size());
    sorted.push_back(std::move(host.nics[old]));
  }
  host.nics = std::move(sorted);
  for (HostGpu& gpu : host.gpus) {
    for (Index& nic : gpu.nics) nic = position[nic];
    std::sort(gpu.nics.begin(), gpu.nics.end());
    gpu.nics.erase(std::unique(gpu.nics.begin(), gpu.nics.end()), gpu.nics.end());
    gpu.nics.shrink_to_fit();
  }
}

Host* host_of_rank(Model& model, const Communicator& comm, int number) {
  const auto found = std::lower_bound(comm.ranks.begin(), comm.ranks.end(), number,
                                      [](const Rank& rank, int wanted) { return rank.rank < wanted; });
  if (found == comm.ranks.end() || found->rank != number || model.host_of(found->process) == nullptr) return nullptr;
  return &model.hosts[model.processes[found->process].place];
}

void count_gdr(Model& model, const Communicator& comm, const ConnectionBundle& bundle) {
  const std::string& transport = comm.transports[bundle.transport];
  if (!transport.starts_with("NET/") || transport == "NET/Socket") return;
  const auto count = [&](std::uint64_t seen, int rank, std::uint64_t gdr) {
    Host* const host = seen != 0 ? host_of_rank(model, comm, rank) : nullptr;
    if (host == nullptr) return;
    host->network_ends += static_cast<std::uint64_t>(std::popcount(seen));
    host->gdr_ends += static_cast<std::uint64_t>(std::popcount(gdr));
  };
  count(bundle.seen_send, bundle.from, bundle.gdrdma_send);
  count(bundle.seen_receive, bundle.to, bundle.gdrdma_receive);
}

bool is_nvlink(PathType path) { return path == PathType::nvl || path == PathType::nvb; }

void read_connections(Model& model) {
  for (const Communicator& comm : model.communicators) {
    comm.connections.each_bundle([&](const ConnectionBundle& bundle) {
      count_gdr(model, comm, bundle);
      if (comm.transports[bundle.transport] != "P2P/MNNVL") return;
      Host* const host = host_of_rank(model, comm, bundle.from);
      if (host != nullptr && host->nvlink == Nvlink::unknown) host->nvlink = Nvlink::present;
    });
  }
}

/// Without a whole dump: what its lines, and the ring search, tell of NVLink.
void add_nvlink(Model& model) {
  for (const Process& process : model.processes) {
    if (process.place < 0) continue;
    Host& host = model.hosts[process.place];
    const PathType worst = path_type(process.worst_path);
    if (host.nvlink == Nvlink::unknown && (process.nvlink || is_nvlink(worst))) host.nvlink = Nvlink::present;
    if (host.topology_at.line == 0 && host.gpus.size() > 1) host.worst_path = std::max(host.worst_path, worst);
  }
}

}  // namespace

void place_hosts(BuilderState& state) {
  Model& model = state.model;
  for (HostState& one : state.hosts) model.hosts.push_back(std::move(one.host));
  assign_places(model);
  add_gpus(model, true);
  add_gpus(model, false);
  add_nics(model);
  add_uses(model);
  for (Host& host : model.hosts) sort_nics(host);
  read_connections(model);
  add_nvlink(model);
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
