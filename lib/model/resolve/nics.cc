// Collects the NICs of hosts, and finds which GPU uses which NIC.

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "model/host_table.h"
#include "model/resolve/gpus.h"
#include "model/resolve/passes.h"
#include "model/stable_sort.h"

namespace nccl_analyze::builder {

namespace {

HostNic host_nic(const Nic& port) {
  HostNic nic;
  nic.network = "IB";
  nic.index = port.index;
  nic.name = std::string(port.device);
  nic.port = port.port;
  nic.link = std::string(port.link);
  return nic;
}

HostNic host_nic(const NetworkInterface& interface) {
  HostNic nic;
  nic.network = "Socket";
  nic.index = interface.index;
  nic.name = std::string(interface.name);
  return nic;
}

/// Parses the device list of NET/IB (NicList, Nic) or NET/Socket (InterfaceList, NetworkInterface).
template <class List, class Item>
std::vector<HostNic> nics_in(std::string_view text) {
  std::vector<HostNic> nics;
  List list(text);
  for (Item item; list.next(item);) nics.push_back(host_nic(item));
  return nics;
}

/// Returns the network of the NICs in Rank::nics, named as in Host::nics: the network of the communicator's connections
/// if there is exactly one, else the network that the process chose.
std::string_view network_of(const Communicator& comm, const Process& process) {
  std::string_view only;
  for (const std::string& transport : comm.transports) {
    if (!transport.starts_with("NET/")) continue;
    if (!only.empty()) return device_list_of(process.network);
    only = std::string_view{transport}.substr(4);
  }
  return device_list_of(only.empty() ? std::string_view{process.network} : only);
}

/// Names of NICs by their indices in the list that a process printed. Each process numbers the NICs of its own list,
/// and processes of one host may have different lists; the last list is kept, because most processes print equal ones.
class NicNames {
 public:
  void read(const Process& process, std::string_view network) {
    const bool is_ib = network == "IB";
    const Text list = is_ib ? process.ib_devices : network == "Socket" ? process.socket_devices : Text();
    if (is_ib == is_ib_ && list == list_) return;
    list_ = list;
    is_ib_ = is_ib;
    names_.clear();
    NicList nics(is_ib ? list_.view() : std::string_view{});
    for (Nic port; nics.next(port);) names_.emplace_back(port.index, port.device);
    InterfaceList interfaces(is_ib ? std::string_view{} : list_.view());
    for (NetworkInterface one; interfaces.next(one);) names_.emplace_back(one.index, one.name);
  }
  /// Returns the first name with this index in the list that was read last; empty if there is none.
  std::string_view operator[](int index) const {
    const auto found = std::ranges::find(names_, index, &std::pair<int, std::string_view>::first);
    return found == names_.end() ? std::string_view{} : found->second;
  }

 private:
  Text list_;
  bool is_ib_ = false;
  std::vector<std::pair<int, std::string_view>> names_;
};

void use_nic(Host& host, Index gpu, const HostNic& used) {
  if (!merge_nic(host, used)) return;
  for (std::size_t i = 0; i < host.nics.size(); ++i)
    if (host.nics[i].network == used.network && host.nics[i].index == used.index &&
        (used.name.empty() || host.nics[i].name.empty() || host.nics[i].name == used.name))
      host.gpus[gpu].nics.push_back(static_cast<Index>(i));
}

void sort_nics(Host& host) {
  const Table<Index> position = sort_stably(host.nics, [](const HostNic& a, const HostNic& b) {
    return std::tie(a.network, a.index, a.name, a.port) < std::tie(b.network, b.index, b.name, b.port);
  });
  for (HostGpu& gpu : host.gpus) {
    for (Index& nic : gpu.nics) nic = position[nic];
    std::sort(gpu.nics.begin(), gpu.nics.end());
    gpu.nics.erase(std::unique(gpu.nics.begin(), gpu.nics.end()), gpu.nics.end());
    gpu.nics.shrink_to_fit();
  }
}

}  // namespace

void add_nics(Model& model) {
  struct Lists {
    Text nics, interfaces;
  };
  Text list;  // cache of the last parsed list, because hosts of one machine type print equal lists
  std::vector<HostNic> listed;
  Table<Lists> last_lists(model.hosts.size());  // Cache, because processes of one host mostly print equal lists.
  const auto is_new = [](const Text& text, const Text& before) { return !text.empty() && text != before; };
  for (const Process& process : model.processes) {
    if (process.host_index < 0) continue;
    Lists& last = last_lists[process.host_index];
    const bool new_nics = is_new(process.ib_devices, last.nics);
    const bool new_interfaces = is_new(process.socket_devices, last.interfaces);
    if (!new_nics && !new_interfaces) continue;
    Host& host = model.hosts[process.host_index];
    if (new_nics && process.ib_devices != list) {
      list = process.ib_devices;
      listed = nics_in<NicList, Nic>(list);
    }
    bool room = true;
    if (new_nics)
      for (const HostNic& nic : listed) room = merge_nic(host, nic) && room;
    if (new_interfaces)
      for (const HostNic& nic : nics_in<InterfaceList, NetworkInterface>(process.socket_devices))
        room = merge_nic(host, nic) && room;
    if (!room) {
      ++model.dropped;
      continue;
    }
    if (new_nics) last.nics = process.ib_devices;
    if (new_interfaces) last.interfaces = process.socket_devices;
  }
}

void assign_nics(Model& model) {
  NicNames names;
  for (const Communicator& comm : model.communicators) {
    for (const Rank& rank : comm.ranks) {
      if (rank.nics == 0 || model.host_of(rank.process) == nullptr) continue;
      const Process& process = model.processes[rank.process];
      Host& host = model.hosts[process.host_index];
      const Index gpu = find_gpu(host, rank);
      if (gpu < 0) continue;
      HostNic used;
      used.network = network_of(comm, process);
      names.read(process, used.network);
      for (used.index = 0; used.index < 64; ++used.index) {
        if ((rank.nics >> static_cast<unsigned>(used.index) & 1U) == 0) continue;
        used.name = names[used.index];
        use_nic(host, gpu, used);
      }
    }
  }
  for (Host& host : model.hosts) sort_nics(host);
}

}  // namespace nccl_analyze::builder
