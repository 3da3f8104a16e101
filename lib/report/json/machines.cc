// Writes what documents of other tools show about machines.

#include "queries/machines.h"

#include <optional>
#include <string>

#include "report/json/tools.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

std::optional<std::string> hex_of(std::uint64_t value) {
  return value == 0 ? std::nullopt : std::optional{to_hex(value)};
}

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

void write_machines(JsonWriter& json, const Model& model) {
  json.begin_array("machines");
  for (const Machine& machine : model.machines) write_machine(json, model, machine);
  json.end();
}

}  // namespace nccl_analyze
