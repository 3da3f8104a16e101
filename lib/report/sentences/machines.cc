// Describes documents of other tools about machines.

#include "report/sentences/machines.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "queries/benchmarks.h"
#include "queries/machines.h"
#include "queries/nvlink.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_machines = 32;
constexpr std::size_t max_named = 4;

/// Returns the types of all paths to GPUs or, if `to_nic`, to NICs: `NV18`, `PIX, NODE, SYS`.
std::string path_types(const Machine& machine, bool to_nic) {
  std::set<std::pair<PathType, std::string>> types;
  for (const MachinePath& path : machine.paths)
    if (path.to_nic == to_nic) types.emplace(path.type, path_text(path));
  std::string text;
  for (const auto& [type, name] : types) append_item(text, name);
  return text;
}

std::string devices_of(const Machine& machine) {
  std::string text;
  append_item(text, machine.cpu);
  if (!machine.gpus.empty()) append_item(text, count_text(machine.gpus.size(), "GPU"));
  if (const std::string types = path_types(machine, false); !types.empty()) text.append(" joined by ").append(types);
  if (!machine.nics.empty()) append_item(text, count_text(machine.nics.size(), "NIC"));
  if (const std::string types = path_types(machine, true); !types.empty())
    text.append(" at a distance of ").append(types);
  return text;
}

std::string ports_of(const Machine& machine) {
  const auto up = static_cast<std::uint64_t>(std::ranges::count(machine.nics, PortState::up, &MachineNic::state));
  std::string text = count_text(machine.nics.size(), "port") + ", " + std::to_string(up) + " up";
  std::size_t named = 0;
  for (const MachineNic& nic : machine.nics) {
    if (nic.state != PortState::down || ++named > max_named) continue;
    append_item(text, nic.name + ":" + std::to_string(nic.port) + " is " + nic.printed_state);
    if (!nic.physical_state.empty()) text.append(" (").append(nic.physical_state).append(")");
  }
  if (named > max_named) append_item(text, std::to_string(named - max_named) + " more not up");
  return text;
}

std::string links_of(const Machine& machine) {
  std::map<int, std::uint64_t> widths;
  for (const MachineGpu& gpu : machine.gpus) ++widths[gpu.link.width];
  std::string text;
  for (const auto& [width, count] : widths)
    append_item(text, count_text(count, "GPU") + " on x" + std::to_string(width));
  if (!machine.nics.empty()) append_item(text, count_text(machine.nics.size(), "NIC"));
  append_item(text, machine.acs_bridges.empty() ? std::string()
                                                : "ACS on at " + count_text(machine.acs_bridges.size(), "bridge"));
  return text;
}

/// Returns the number of channels of the first communicator with a rank on the host, except communicators that were
/// split from another. Returns 0 if there is none, and a negative number if the log does not show its channels.
int channels_on(const Model& model, Index host) {
  if (host < 0) return 0;
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (comm.parent < 0 && rank.process >= 0 && model.processes[rank.process].host_index == host)
        return comm.channels;
  return 0;
}

/// Names a graph by its id, which NCCL assigns in src/init.cc.
std::string graph_name(int id) {
  constexpr std::array<std::string_view, 5> names{"ring", "tree", "CollNet chain", "NVLS", "CollNet direct"};
  return id >= 0 && id < static_cast<int>(names.size()) ? std::string(names[static_cast<std::size_t>(id)])
                                                        : "graph " + std::to_string(id);
}

std::string graphs_of(const Model& model, const Machine& machine) {
  std::string text;
  std::size_t shown = 0;
  for (const PlannedGraph& graph : machine.graphs) {
    if (graph.nchannels < 1 || ++shown > max_named) continue;
    append_item(text, graph_name(graph.id) + " of " + count_text(graph.nchannels, "channel") + " with " +
                          rounded_bandwidth_text(graph.speed_intra) + " over " +
                          std::string(to_string(graph.type_intra)));
    const bool leaves_node = !graph.channels.empty() && graph.channels.front().starts_with("NET/");
    if (leaves_node && graph.speed_inter > 0 && graph.type_inter != PathType::unknown)
      text.append(" and ")
          .append(rounded_bandwidth_text(graph.speed_inter))
          .append(" over ")
          .append(to_string(graph.type_inter));
  }
  if (text.empty()) return "no graph";
  const int channels = channels_on(model, machine.host);
  text = "planned " + text;
  if (channels > 0)
    text += "; the log shows " + std::to_string(channels) + " channels (NCCL may double what it planned)";
  return text;
}

/// States a value of a host in words.
std::string value_text(const MachineValue& value) {
  const std::string size = value.number < 0 ? "unlimited" : size_text(value.number);
  if (value.what == "memlock") return "the limit on locked memory is " + size;
  if (value.what == "shm_size") return "/dev/shm has " + size;
  if (value.what == "shm_available") return size + " of /dev/shm free";
  if (value.what == "nvidia_peermem")
    return value.number > 0 ? "nvidia-peermem is loaded" : "nvidia-peermem is not loaded";
  if (value.what == "gpus") return "no GPU found";
  return value.what == "driver" ? "the kernel's driver does not answer" : std::string();
}

std::string values_of(const Machine& machine) {
  std::string text;
  for (const MachineValue& value : machine.values) append_item(text, value_text(value));
  return text;
}

std::string gids_of(const Machine& machine) {
  return machine.gids.empty() ? std::string() : "GID table of " + count_text(machine.gids.size(), "entry", "entries");
}

std::string content_of(const Model& model, const Machine& machine) {
  switch (machine.tool) {
    case MachineTool::ibstat:
    case MachineTool::ibdev2netdev:
    case MachineTool::ibstatus:
    case MachineTool::rdma_link:
      return ports_of(machine);
    case MachineTool::ibv_devinfo: {
      std::string text = machine.nics.empty() ? std::string() : ports_of(machine);
      append_item(text, gids_of(machine));
      return text;
    }
    case MachineTool::show_gids:
      return gids_of(machine);
    case MachineTool::ulimit:
    case MachineTool::df:
    case MachineTool::lsmod:
    case MachineTool::nvidia_smi:
    case MachineTool::ray:
      return values_of(machine);
    case MachineTool::lspci:
      return links_of(machine);
    case MachineTool::graph_xml:
      return graphs_of(model, machine);
    default:
      return devices_of(machine);
  }
}

}  // namespace

std::vector<std::string> describe_machines(const Model& model) {
  std::vector<std::string> texts;
  for (const Machine& machine : model.machines) {
    if (texts.size() == max_machines) {
      texts.push_back("and " + std::to_string(model.machines.size() - max_machines) + " more");
      break;
    }
    const auto source = static_cast<std::size_t>(machine.at.source);
    std::string text = machine.host >= 0 && !model.hosts[machine.host].name.empty() ? model.hosts[machine.host].name
                                                                                    : std::string("an unnamed host");
    if (machine.host < 0)
      text = source < model.sources.size() ? model.sources[source].name : std::string("a host that is not known");
    texts.push_back(text + ", " + std::string(to_string(machine.tool)) + ": " + content_of(model, machine));
  }
  return texts;
}

}  // namespace nccl_analyze
