// Describes documents about machines in words.

#include "report/sentences/machines.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "queries/nvlink.h"
#include "report/sentences/phrases.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_machines = 32;
constexpr std::size_t max_named = 4;

/// `NV18`, `PIX`; empty if the type is not known.
std::string path_text(const MachinePath& path) {
  if (path.type == PathType::nvl && path.nvlinks > 0) return "NV" + std::to_string(path.nvlinks);
  return std::string(to_string(path.type));
}

/// The types of all paths to GPUs, or to NICs: `NV18`, `PIX, NODE and SYS`.
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
  if (!machine.gpus.empty()) append_item(text, count_text(machine.gpus.size(), "GPU", "GPUs"));
  if (const std::string types = path_types(machine, false); !types.empty()) text.append(" joined by ").append(types);
  if (!machine.nics.empty()) append_item(text, count_text(machine.nics.size(), "NIC", "NICs"));
  if (const std::string types = path_types(machine, true); !types.empty())
    text.append(" at a distance of ").append(types);
  return text;
}

std::string ports_of(const Machine& machine) {
  const auto up = static_cast<std::uint64_t>(std::ranges::count(machine.nics, PortState::up, &MachineNic::state));
  std::string text = count_text(machine.nics.size(), "port", "ports") + ", " + std::to_string(up) + " up";
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
    append_item(text, count_text(count, "GPU", "GPUs") + " on x" + std::to_string(width));
  if (!machine.nics.empty()) append_item(text, count_text(machine.nics.size(), "NIC", "NICs"));
  append_item(text, machine.acs_bridges.empty()
                        ? std::string()
                        : "ACS on at " + count_text(machine.acs_bridges.size(), "bridge", "bridges"));
  return text;
}

/// The channels that the log shows on the host of a machine; 0 if it shows none.
int channels_on(const Model& model, Index host) {
  if (host < 0) return 0;
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (comm.parent < 0 && rank.process >= 0 && model.processes[rank.process].host_index == host)
        return comm.channels;
  return 0;
}

/// Names a graph by its id, which src/init.cc of NCCL assigns.
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
    append_item(text, graph_name(graph.id) + " of " +
                          count_text(static_cast<std::uint64_t>(graph.nchannels), "channel", "channels") + " with " +
                          gigabytes(graph.speed_intra) + " over " + std::string(to_string(graph.type_intra)));
    const bool leaves_node = !graph.channels.empty() && graph.channels.front().starts_with("NET/");
    if (leaves_node && graph.speed_inter > 0 && graph.type_inter != PathType::unknown)
      text.append(" and ").append(gigabytes(graph.speed_inter)).append(" over ").append(to_string(graph.type_inter));
  }
  if (text.empty()) return "no graph";
  const int channels = channels_on(model, machine.host);
  text = "planned " + text;
  if (channels > 0)
    text += "; the log shows " + std::to_string(channels) + " channels (NCCL may double what it planned)";
  return text;
}

std::string content_of(const Model& model, const Machine& machine) {
  switch (machine.tool) {
    case MachineTool::ibstat:
    case MachineTool::ibdev2netdev:
      return ports_of(machine);
    case MachineTool::lspci:
      return links_of(machine);
    case MachineTool::graph_xml:
      return graphs_of(model, machine);
    default:
      return devices_of(machine);
  }
}

std::optional<std::string> hex_of(std::uint64_t value) {
  return value == 0 ? std::nullopt : std::optional{to_hex(value)};
}

std::optional<double> measured(double value) { return value > 0 ? std::optional{value} : std::nullopt; }

void write_link(JsonWriter& json, const PcieLink& link) {
  json.member("link_width", known(link.width));
  json.member("max_link_width", known(link.max_width));
  json.member("link_speed", measured(link.speed));
  json.member("max_link_speed", measured(link.max_speed));
}

void write_gpu(JsonWriter& json, const Model& model, const Machine& machine, Index number) {
  const MachineGpu& gpu = machine.gpus[number];
  json.begin_object(Layout::line);
  json.member("index", known(gpu.index));
  json.member("bus_id", hex_of(gpu.bus_id));
  json.member("gpu", gpu.gpu < 0 ? std::nullopt : std::optional{gpu.gpu});
  json.member("numa_node", known(gpu.numa));
  write_link(json, gpu.link);
  json.member("line", model.place_in_source(gpu.at));
  json.end();
}

void write_nic(JsonWriter& json, const Model& model, const MachineNic& nic) {
  json.begin_object(Layout::line);
  json.member("label", known(nic.label));
  json.member("name", known(nic.name));
  json.member("port", known(nic.port));
  json.member("bus_id", hex_of(nic.bus_id));
  json.member("state", known(nic.printed_state));
  json.member("physical_state", known(nic.physical_state));
  json.member("rate", measured(nic.rate));
  json.member("link_layer", known(nic.link_layer));
  json.member("interface", known(nic.interface));
  json.member("numa_node", known(nic.numa));
  write_link(json, nic.link);
  json.member("line", model.place_in_source(nic.at));
  json.end();
}

void write_graph(JsonWriter& json, const Model& model, const PlannedGraph& graph) {
  json.begin_object();
  json.member("id", graph.id);
  json.member("pattern", known(graph.pattern));
  json.member("channels", known(graph.nchannels));
  json.member("bandwidth_intra", measured(graph.speed_intra));
  json.member("bandwidth_inter", measured(graph.speed_inter));
  json.member("path_intra", known(to_string(graph.type_intra)));
  json.member("path_inter", known(to_string(graph.type_inter)));
  json.begin_array("paths");
  for (const std::string& path : graph.channels) json.value(path);
  json.end();
  json.member("line", model.place_in_source(graph.at));
  json.end();
}

void write_paths(JsonWriter& json, const Machine& machine) {
  json.begin_array("paths");
  for (const MachinePath& path : machine.paths) {
    json.begin_object(Layout::line);
    json.member("gpu", path.gpu);
    json.member("to_gpu", path.to_nic ? std::nullopt : std::optional{path.to});
    json.member("to_nic", path.to_nic ? std::optional{path.to} : std::nullopt);
    json.member("type", known(path_text(path)));
    json.end();
  }
  json.end();
}

void write_machine(JsonWriter& json, const Model& model, const Machine& machine) {
  json.begin_object();
  json.member("tool", to_string(machine.tool));
  json.member("source", static_cast<std::uint32_t>(machine.at.source));
  json.member("line", model.place_in_source(machine.at));
  json.member("host", machine.host < 0 ? std::nullopt : std::optional{machine.host});
  json.member("complete", machine.complete);
  json.begin_array("gpus");
  for (Index i = 0; i < static_cast<Index>(machine.gpus.size()); ++i) write_gpu(json, model, machine, i);
  json.end();
  json.begin_array("nics");
  for (const MachineNic& nic : machine.nics) write_nic(json, model, nic);
  json.end();
  write_paths(json, machine);
  json.begin_array("acs_bridges");
  for (const AcsBridge& bridge : machine.acs_bridges) {
    json.begin_object(Layout::line);
    json.member("bus_id", hex_of(bridge.bus_id));
    json.member("line", model.place_in_source(bridge.at));
    json.end();
  }
  json.end();
  json.begin_array("graphs");
  for (const PlannedGraph& graph : machine.graphs) write_graph(json, model, graph);
  json.end();
  json.end();
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

void write_machines(JsonWriter& json, const Model& model) {
  json.begin_array("machines");
  for (const Machine& machine : model.machines) write_machine(json, model, machine);
  json.end();
}

}  // namespace nccl_analyze
