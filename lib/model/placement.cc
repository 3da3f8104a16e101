// Hosts: the processes on them, their GPUs, their NICs, and which GPU uses which NIC.

#include "model/placement.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "model/draft.h"

namespace nccl_analyze::draft {

namespace {

constexpr std::size_t max_nics = 256;  // of one host

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

bool is_same(const HostNic& known, const HostNic& told) {
  if (known.network != told.network) return false;
  if (told.name.empty()) return known.index == told.index;
  return known.name == told.name && (known.port == told.port || known.port < 0 || told.port < 0);
}

void add_facts(HostNic& known, const HostNic& told) {
  if (known.index < 0) known.index = told.index;
  if (known.port < 0) known.port = told.port;
  if (known.link.empty()) known.link = told.link;
  if (told.speed >= 0) known.speed = told.speed;
  if (told.gdr >= 0) known.gdr = told.gdr;
  if (told.bandwidth <= 0) return;
  known.bandwidth = told.bandwidth;
  known.cpu = told.cpu;
  known.bus_id = told.bus_id;
  known.pci_switch = told.pci_switch;
}

/// Each process's place; hosts without a process go, those that nobody told of come.
void assign_places(Model& model) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, Index> places;
  for (const Process& process : model.processes)
    if (!process.host.empty() || !process.pod.empty())
      places.try_emplace({process.host, process.pod, process.container}, -1);
  std::vector<Host> hosts;
  for (auto& [key, place] : places) {
    place = static_cast<Index>(hosts.size());
    Host& made = hosts.emplace_back();
    std::tie(made.name, made.pod, made.container) = key;
  }
  for (Host& told : model.hosts) {
    const auto found = places.find({told.name, told.pod, told.container});
    if (found != places.end()) hosts[at(found->second)] = std::move(told);
  }
  for (Process& process : model.processes) {
    const auto found = places.find({process.host, process.pod, process.container});
    if (found != places.end()) process.place = found->second;
  }
  model.hosts = std::move(hosts);
}

struct GpuKey {
  std::uint64_t bus_id = 0;
  int nvml_dev = -1;
  friend auto operator<=>(const GpuKey&, const GpuKey&) = default;
};

bool has_gpu(const Rank& rank) { return rank.bus_id != 0 || rank.nvml_dev >= 0; }

/// The bus id tells GPUs apart; where none was printed, NVML's number does.
GpuKey key_of(std::uint64_t bus_id, int nvml_dev) { return {bus_id, bus_id != 0 ? -1 : nvml_dev}; }

Index find_gpu(const Host& host, const Rank& rank) {
  const GpuKey key = key_of(rank.bus_id, rank.nvml_dev);
  const auto found = std::lower_bound(
      host.gpus.begin(), host.gpus.end(), key,
      [](const HostGpu& gpu, const GpuKey& wanted) { return key_of(gpu.bus_id, gpu.nvml_dev) < wanted; });
  const bool is_it = found != host.gpus.end() && key_of(found->bus_id, found->nvml_dev) == key;
  return is_it ? static_cast<Index>(found - host.gpus.begin()) : -1;
}

/// GPUs of ranks join those of the topology dumps.
void add_gpus(Model& model) {
  std::vector<std::tuple<Index, GpuKey, int>> used;  // host, GPU, NVML's number
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (model.host_of(rank.process) != nullptr && has_gpu(rank))
        used.emplace_back(model.processes[at(rank.process)].place, key_of(rank.bus_id, rank.nvml_dev), rank.nvml_dev);
  for (std::size_t i = 0; i < model.hosts.size(); ++i)
    for (const HostGpu& gpu : model.hosts[i].gpus)
      used.emplace_back(static_cast<Index>(i), key_of(gpu.bus_id, gpu.nvml_dev), -1);
  std::sort(used.begin(), used.end());
  std::vector<HostGpu> gpus;
  for (auto first = used.begin(); first != used.end();) {
    Host& host = model.hosts[at(std::get<0>(*first))];
    gpus.clear();
    auto next = first;
    for (; next != used.end() && std::get<0>(*next) == std::get<0>(*first); ++next) {
      const auto& [place, key, nvml_dev] = *next;
      if (gpus.empty() || key_of(gpus.back().bus_id, gpus.back().nvml_dev) != key) {
        const auto dumped = std::find_if(host.gpus.begin(), host.gpus.end(), [wanted = key.bus_id](const HostGpu& gpu) {
          return wanted != 0 && gpu.bus_id == wanted;
        });
        gpus.push_back(dumped != host.gpus.end() ? *dumped : HostGpu{});
        gpus.back().bus_id = key.bus_id;
      }
      gpus.back().nvml_dev = std::max(gpus.back().nvml_dev, nvml_dev);
    }
    host.gpus.assign(gpus.begin(), gpus.end());
    first = next;
  }
}

/// The lists that processes print join what was told of single NICs.
void add_nics(Model& model) {
  for (const Process& process : model.processes) {
    if (process.place < 0) continue;
    Host& host = model.hosts[at(process.place)];
    HostNic told;
    bool room = true;
    for (const NicPort& port : process.nics) {
      told.network = "IB";
      told.index = port.index;
      told.name = port.device;
      told.port = port.port;
      told.link = port.link;
      room = merge_nic(host, told) && room;
    }
    told = {};
    for (const HostInterface& one : process.interfaces) {
      told.network = "Socket";
      told.index = one.index;
      told.name = one.name;
      room = merge_nic(host, told) && room;
    }
    if (!room) ++model.dropped;
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
  if (network == "IB")
    for (const NicPort& port : process.nics)
      if (port.index == index) return port.device;
  if (network == "Socket")
    for (const HostInterface& one : process.interfaces)
      if (one.index == index) return one.name;
  return {};
}

void use_nic(Host& host, Index gpu, const HostNic& used) {
  if (!merge_nic(host, used)) return;
  for (std::size_t i = 0; i < host.nics.size(); ++i)
    if (host.nics[i].network == used.network && host.nics[i].index == used.index &&
        (used.name.empty() || host.nics[i].name.empty() || host.nics[i].name == used.name))
      host.gpus[at(gpu)].nics.push_back(static_cast<Index>(i));
}

void add_uses(Model& model) {
  for (const Communicator& comm : model.communicators) {
    for (const Rank& rank : comm.ranks) {
      if (rank.nics == 0 || model.host_of(rank.process) == nullptr || !has_gpu(rank)) continue;
      const Process& process = model.processes[at(rank.process)];
      Host& host = model.hosts[at(process.place)];
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
    const HostNic& nic = host.nics[at(i)];
    return std::tie(nic.network, nic.index, nic.name, nic.port);
  };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });
  std::vector<HostNic> sorted;
  std::vector<Index> position(order.size());
  for (const Index old : order) {
    position[at(old)] = static_cast<Index>(sorted.size());
    sorted.push_back(std::move(host.nics[at(old)]));
  }
  host.nics = std::move(sorted);
  for (HostGpu& gpu : host.gpus) {
    for (Index& nic : gpu.nics) nic = position[at(nic)];
    std::sort(gpu.nics.begin(), gpu.nics.end());
    gpu.nics.erase(std::unique(gpu.nics.begin(), gpu.nics.end()), gpu.nics.end());
    gpu.nics.shrink_to_fit();
  }
}

Host* host_of_rank(Model& model, const Communicator& comm, int number) {
  const auto found = std::lower_bound(comm.ranks.begin(), comm.ranks.end(), number,
                                      [](const Rank& rank, int wanted) { return rank.rank < wanted; });
  if (found == comm.ranks.end() || found->rank != number || model.host_of(found->process) == nullptr) return nullptr;
  return &model.hosts[at(model.processes[at(found->process)].place)];
}

void count_gdr(Model& model, const Communicator& comm, const Connection& connection) {
  const std::string& transport = comm.transports[connection.transport];
  if (!transport.starts_with("NET/") || transport == "NET/Socket") return;
  const auto count = [&](bool seen, int rank, bool gdr) {
    Host* const host = seen ? host_of_rank(model, comm, rank) : nullptr;
    if (host == nullptr) return;
    ++host->network_ends;
    host->gdr_ends += gdr ? 1 : 0;
  };
  count(connection.seen_send, connection.from, connection.gdrdma_send);
  count(connection.seen_receive, connection.to, connection.gdrdma_receive);
}

bool is_nvlink(PathType path) { return path == PathType::nvl || path == PathType::nvb; }

void read_connections(Model& model) {
  for (const Communicator& comm : model.communicators) {
    for (const Connection& connection : comm.connections) {
      count_gdr(model, comm, connection);
      if (comm.transports[connection.transport] != "P2P/MNNVL") continue;
      Host* const host = host_of_rank(model, comm, connection.from);
      if (host != nullptr && host->nvlink == Nvlink::unknown) host->nvlink = Nvlink::present;
    }
  }
}

/// Without a whole dump: what its lines, and the ring search, tell of NVLink.
void add_nvlink(Model& model) {
  for (const Process& process : model.processes) {
    if (process.place < 0) continue;
    Host& host = model.hosts[at(process.place)];
    const PathType worst = path_type(process.worst_path);
    if (host.nvlink == Nvlink::unknown && (process.nvlink || is_nvlink(worst))) host.nvlink = Nvlink::present;
    if (host.topology_at.line == 0 && host.gpus.size() > 1) host.worst_path = std::max(host.worst_path, worst);
  }
}

}  // namespace

bool merge_nic(Host& host, const HostNic& told) {
  bool known = false;
  for (HostNic& nic : host.nics) {
    if (!is_same(nic, told)) continue;
    add_facts(nic, told);
    known = true;
  }
  if (known) return true;
  const auto sibling = std::find_if(host.nics.begin(), host.nics.end(), [&](const HostNic& nic) {
    return nic.network == told.network && nic.index == told.index && told.index >= 0;
  });
  if (sibling != host.nics.end() && sibling->name.empty()) {
    sibling->name = told.name;
    add_facts(*sibling, told);
    return true;
  }
  if (host.nics.size() >= max_nics) return false;
  HostNic made = told;
  if (sibling != host.nics.end()) {  // merged ports: the dump shows one device
    made.bandwidth = sibling->bandwidth;
    made.cpu = sibling->cpu;
  }
  host.nics.push_back(std::move(made));
  return true;
}

std::string_view device_list_of(std::string_view name) { return name.starts_with("IB") ? "IB" : name; }

void note_nics(const Draft& draft, const Batch& batch, CommDraft& into) {
  const auto slot = into.slot_of_rank.find(batch.self);
  if (slot == into.slot_of_rank.end()) return;
  Rank& rank = into.comm.ranks[at(slot->second)];
  for (const Connection& connection : batch.connections.items())
    if (connection.device >= 0 && connection.device < 64 && draft.transports[connection.transport].starts_with("NET/"))
      rank.nics |= std::uint64_t{1} << static_cast<unsigned>(connection.device);
}

void place_hosts(Model& model) {
  assign_places(model);
  add_gpus(model);
  add_nics(model);
  add_uses(model);
  for (Host& host : model.hosts) sort_nics(host);
  read_connections(model);
  add_nvlink(model);
}

}  // namespace nccl_analyze::draft

namespace nccl_analyze {

std::vector<GpuUse> gpu_uses(const Model& model) {
  std::vector<GpuUse> uses;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    for (const Rank& rank : model.communicators[i].ranks) {
      const Host* const host = model.host_of(rank.process);
      if (host == nullptr || !draft::has_gpu(rank)) continue;
      const Index gpu = draft::find_gpu(*host, rank);
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
