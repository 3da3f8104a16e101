// Finds the host that each output of a tool (ibstat, lspci, a topology file, …) describes. Machine::host stays -1 if
// the host is not certain, because rules would report the faults of one machine for another.

#include "model/resolve/machines.h"

#include <algorithm>
#include <vector>

#include "model/resolve/passes.h"
#include "model/resolve/short_host.h"

namespace nccl_analyze::builder {

namespace {

/// Limit on the number of paths in all topology files together.
constexpr std::size_t max_paths = std::size_t{1} << 20U;

/// Returns the folder of a file or of a member of an archive; empty for a bare name.
std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

/// Reverses the bytes of a GUID. NCCL prints a GUID in the byte order of its memory, ibstat in the opposite order.
std::uint64_t swapped(std::uint64_t guid) {
  std::uint64_t out = 0;
  for (int i = 0; i < 8; ++i, guid >>= 8U) out = out << 8U | (guid & 0xffU);
  return out;
}

bool is_name_part(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Returns the positions where the words of a path (runs of letters and digits) start or end, in ascending order. If
/// there are more than `most`, only the last ones.
std::vector<std::size_t> word_ends(std::string_view path) {
  constexpr std::size_t most = 64;
  std::vector<std::size_t> ends;
  for (std::size_t at = path.size() + 1; at-- > 0 && ends.size() < most;) {
    const bool before = at > 0 && is_name_part(path[at - 1]);
    const bool behind = at < path.size() && is_name_part(path[at]);
    if (before != behind) ends.push_back(at);
  }
  std::ranges::reverse(ends);
  return ends;
}

/// Whether `behind`, the text after a name, begins with a dash and a digit. The name is then only a part of a longer
/// name: `node-1` in `node-1-0/topo.txt`.
bool has_number(std::string_view behind) {
  return behind.size() > 1 && behind[0] == '-' && behind[1] >= '0' && behind[1] <= '9';
}

/// Whether the document cannot describe the host: both show GPUs but share none, both show InfiniBand devices but share
/// none, or the host has an NVML index that `nvidia-smi topo -m` does not show.
bool contradicts(const Machine& machine, const Host& host) {
  bool both_gpus = false, same_gpu = false, both_nics = false, same_nic = false;
  for (const HostGpu& known : host.gpus) {
    if (machine.tool == MachineTool::topo_matrix && known.nvml_dev >= static_cast<int>(machine.gpus.size()))
      return true;
    for (const MachineGpu& gpu : machine.gpus) {
      both_gpus = both_gpus || (known.bus_id != 0 && gpu.bus_id != 0);
      same_gpu = same_gpu || (known.bus_id != 0 && gpu.bus_id == known.bus_id);
    }
  }
  for (const HostNic& known : host.nics) {
    if (known.network != "IB" || known.name.empty()) continue;
    for (const MachineNic& nic : machine.nics) {
      both_nics = both_nics || !nic.name.empty();
      same_nic = same_nic || (!nic.name.empty() && (std::string_view{known.name}.starts_with(nic.name)));
    }
  }
  return (both_gpus && !same_gpu) || (both_nics && !same_nic);
}

/// Sets MachineGpu::gpu to the index of the same GPU in the host; GPUs have the same bus id. `nvidia-smi topo -m` shows
/// no bus ids, but numbers GPUs in the order of their bus ids, in which the host's GPUs are sorted, too. Its numbers
/// are used only if it shows as many GPUs as the host has.
void find_gpus(Machine& machine, const Host& host) {
  const bool is_numbered = machine.tool == MachineTool::topo_matrix && machine.gpus.size() == host.gpus.size();
  for (MachineGpu& gpu : machine.gpus) {
    for (std::size_t i = 0; i < host.gpus.size(); ++i) {
      const HostGpu& known = host.gpus[i];
      const bool is_same = gpu.bus_id != 0 ? gpu.bus_id == known.bus_id
                                           : is_numbered && gpu.index == static_cast<int>(i) &&
                                                 (known.nvml_dev < 0 || known.nvml_dev == gpu.index);
      if (is_same) gpu.gpu = static_cast<Index>(i);
    }
  }
}

}  // namespace

template <class Map, class Key>
void HostsByKey::add(Map& map, const Key& key, Index host) {
  if (host < 0) return;
  const auto [place, is_new] = map.try_emplace(key, host);
  if (!is_new && place->second != host) place->second = several;
}

template <class Map, class Key>
Index HostsByKey::find(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() || found->second == several ? -1 : found->second;
}

HostsByKey::HostsByKey(const Model& model) : model_(model) {
  Index index = 0;
  for (const Host& host : model.hosts) {
    add(names_, std::string(short_host(host.name)), index);
    for (const HostNic& nic : host.nics)
      if (nic.guid != 0) add(guids_, nic.guid, index);
    ++index;
  }
  for (const Process& process : model.processes) {
    if (process.host_index < 0) continue;
    const auto source = static_cast<std::size_t>(process.source);
    add(sources_, process.source, process.host_index);
    if (source < model.sources.size())
      add(folders_, std::string(folder_of(model.sources[source].name)), process.host_index);
  }
  add_ranks();
  only_ = only_host();
}

void HostsByKey::add_ranks() {
  for (const Communicator& comm : model_.communicators)
    for (const Rank& rank : comm.ranks)
      if (rank.process >= 0 && rank.bus_id != 0)
        add(ranks_, std::pair{rank.rank, rank.bus_id}, model_.processes[rank.process].host_index);
}

Index HostsByKey::only_host() const {
  if (model_.hosts.size() != 1) return -1;
  const auto is_on_one_node = [this](const Communicator& comm) {
    const bool every_rank = comm.nranks > 0 && comm.ranks.size() == static_cast<std::size_t>(comm.nranks) &&
                            std::ranges::all_of(comm.ranks, [this](const Rank& rank) {
                              return rank.process >= 0 && model_.processes[rank.process].host_index >= 0;
                            });
    return comm.parent >= 0 || comm.nnodes == 1 || (comm.nnodes < 1 && every_rank);
  };
  return std::ranges::all_of(model_.communicators, is_on_one_node) ? 0 : -1;
}

/// Finds the host by the ranks and bus ids of its GPUs: a topology file gives the rank of each GPU in the communicator
/// that NCCL was creating. Returns -1 if no GPU is known, or if the GPUs belong to several hosts.
Index HostsByKey::by_ranks(const Machine& machine) const {
  Index host = -1;
  for (const MachineGpu& gpu : machine.gpus) {
    const Index found = gpu.rank < 0 || gpu.bus_id == 0 ? -1 : find(ranks_, std::pair{gpu.rank, gpu.bus_id});
    if (found < 0) continue;
    if (host >= 0 && host != found) return -1;
    host = found;
  }
  return host;
}

Index HostsByKey::by_guid(const Machine& machine) const {
  Index host = -1;
  for (const MachineNic& nic : machine.nics) {
    const Index as_printed = nic.guid == 0 ? -1 : find(guids_, nic.guid);
    const Index found = as_printed >= 0 || nic.guid == 0 ? as_printed : find(guids_, swapped(nic.guid));
    if (found < 0) continue;
    if (host >= 0 && host != found) return -1;
    host = found;
  }
  return host;
}

/// Returns the only host whose name is part of the path of the source, as whole words. Names of fewer than three
/// characters are ignored. Returns -1 if no host or several hosts match.
Index HostsByKey::by_path(SourceId source) const {
  const auto number = static_cast<std::size_t>(source);
  if (number >= model_.sources.size()) return -1;
  const std::string_view path = model_.sources[number].name;
  const std::vector<std::size_t> ends = word_ends(path);
  constexpr std::size_t shortest = 3;
  Index host = -1;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    for (std::size_t j = i + 1; j < ends.size(); ++j) {
      const auto found = names_.find(path.substr(ends[i], ends[j] - ends[i]));
      if (found == names_.end() || ends[j] - ends[i] < shortest || has_number(path.substr(ends[j]))) continue;
      if (found->second == several || (host >= 0 && host != found->second)) return -1;
      host = found->second;
    }
  }
  return host;
}

Index HostsByKey::host_of(const Machine& machine) const {
  if (machine.several_hosts) return -1;
  if (const Index host = by_ranks(machine); host >= 0) return host;
  if (const Index host = by_guid(machine); host >= 0) return host;
  if (!machine.prompt_host.empty()) return find(names_, short_host(machine.prompt_host));
  if (const Index host = find(sources_, machine.at.source); host >= 0) return host;
  if (const Index host = by_path(machine.at.source); host >= 0) return host;
  const auto source = static_cast<std::size_t>(machine.at.source);
  if (source < model_.sources.size())
    if (const Index host = find(folders_, folder_of(model_.sources[source].name)); host >= 0) return host;
  return only_;
}

void join_machines(Model& model) {
  if (model.machines.empty()) return;
  const HostsByKey hosts(model);
  std::size_t room = max_paths;
  for (Machine& machine : model.machines) {
    find_paths(machine, room);
    machine.host = hosts.host_of(machine);
    if (machine.host < 0) continue;
    const Host& host = model.hosts[machine.host];
    if (contradicts(machine, host))
      machine.host = -1;
    else
      find_gpus(machine, host);
  }
}

}  // namespace nccl_analyze::builder
