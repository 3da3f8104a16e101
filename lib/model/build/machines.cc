#include "model/build/machines.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_machines = 8192;
// Limit for each kind of item of one machine, such as its GPUs or its NICs; see lib/evidence/machine.h.
constexpr std::size_t max_items = 256;
constexpr std::size_t max_nvlinks = std::size_t{1} << 14;
// Limit for all machines together: 4,096 hosts with four documents of 16 devices each.
constexpr std::size_t max_all_items = std::size_t{1} << 18;
constexpr std::size_t max_all_paths = std::size_t{1} << 20;
constexpr std::size_t max_channels = 64;
constexpr std::size_t max_gids = 1024;
constexpr std::size_t max_switches = 16;

std::string_view next_part(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

/// Parses a hexadecimal number with `0x`; 0 for any other text.
std::uint64_t hex_of(std::string_view text) {
  std::uint64_t value = 0;
  if (text.starts_with("0x")) std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  return value;
}

/// Parses a list of bus ids: `0x15000/0x17000`.
std::vector<std::uint64_t> switches_of(std::string_view text) {
  std::vector<std::uint64_t> switches;
  while (!text.empty() && switches.size() < max_switches)
    if (const std::uint64_t id = hex_of(next_part(text, '/')); id != 0) switches.push_back(id);
  return switches;
}

PortState state_of(std::string_view state) {
  if (state == "Active" || state == "Up") return PortState::up;
  return state.empty() ? PortState::unknown : PortState::down;
}

/// Returns the position of the GPU with this NVML index. A missing GPU is added with line `at`; -1 beyond the limit.
Index gpu_of(Machine& machine, int index, LineRef at) {
  const auto found = std::ranges::find(machine.gpus, index, &MachineGpu::index);
  if (found != machine.gpus.end()) return static_cast<Index>(found - machine.gpus.begin());
  if (machine.gpus.size() >= max_items) return -1;
  MachineGpu& gpu = machine.gpus.emplace_back();
  gpu.index = index;
  gpu.at = at;
  return static_cast<Index>(machine.gpus.size() - 1);
}

/// Returns the position of the NIC with this label. A missing NIC is added with line `at`; -1 beyond the limit.
Index nic_of(Machine& machine, std::string_view label, LineRef at) {
  const auto found = std::ranges::find(machine.nics, label, &MachineNic::label);
  if (found != machine.nics.end()) return static_cast<Index>(found - machine.nics.begin());
  if (machine.nics.size() >= max_items) return -1;
  MachineNic& nic = machine.nics.emplace_back();
  nic.label = label;
  nic.at = at;
  return static_cast<Index>(machine.nics.size() - 1);
}

/// Sets the type of a path. `NV18` is NVLink with 18 links; all other names are NCCL's path types.
void set_path(MachinePath& path, std::string_view type) {
  if (!type.starts_with("NV") || type == "NVL" || type == "NVB") {
    path.type = path_type(type);
    return;
  }
  path.type = PathType::nvl;
  std::from_chars(type.data() + 2, type.data() + type.size(), path.nvlinks);
}

}  // namespace

Machine* Machines::open(Context& context) {
  const auto last = last_.find(context.record->at.source);
  if (last != last_.end() && ++items_ <= max_all_items) return &context.state.model.machines[last->second];
  context.drop();
  return nullptr;
}

void Machines::apply(Context& context, const MachineDescribed& event) {
  const SourceId source = context.record->at.source;
  std::vector<Machine>& machines = context.state.model.machines;
  if (machines.size() >= max_machines) {
    last_.erase(source);
    return context.drop();
  }
  last_[source] = machines.size();
  Machine& made = machines.emplace_back();
  made.at = context.quote();
  made.tool = machine_tool(event.tool);
  made.prompt_host = std::string(event.host);
}

void Machines::apply(Context& context, const MachineEnded&) {
  if (Machine* const machine = open(context)) machine->complete = true;
}

void Machines::apply(Context& context, const MachineCpuListed& event) {
  Machine* const machine = open(context);
  if (machine == nullptr) return;
  const std::uint64_t hash = event.host_hash.value;
  if (machine->host_hash != 0 && hash != machine->host_hash) machine->several_hosts = true;
  if (machine->host_hash == 0) machine->host_hash = hash;
  if (machine->cpu.empty()) machine->cpu = std::string(event.cpu);
}

void Machines::apply(Context& context, const MachineGpuListed& event) {
  Machine* const machine = open(context);
  if (machine == nullptr) return;
  if (machine->gpus.size() >= max_items) return context.drop();
  MachineGpu& gpu = machine->gpus.emplace_back();
  gpu.at = context.quote();
  gpu.index = event.index;
  gpu.bus_id = event.bus_id.value;
  gpu.rank = event.rank;
  gpu.numa = event.numa;
  gpu.link.width = event.width;
  gpu.link.speed = event.speed;
  gpu.switches = switches_of(event.switches);
}

void Machines::apply(Context& context, const MachineNicListed& event) {
  Machine* const machine = open(context);
  if (machine == nullptr) return;
  const Index place = nic_of(*machine, event.label, context.record->at);
  if (place < 0) return context.drop();
  MachineNic& nic = machine->nics[place];
  nic.at = context.quote();
  nic.name = std::string(event.device);
  nic.port = event.port;
  nic.bus_id = event.bus_id.value;
  nic.guid = event.guid.value;
  constexpr double mbits_per_gbit = 1000;
  nic.rate = event.rate > 0 ? event.rate / mbits_per_gbit : 0;
  nic.numa = event.numa;
  nic.link.width = event.width;
  nic.link.speed = event.speed;
  nic.switches = switches_of(event.switches);
}

void Machines::apply(Context& context, const MachinePathsListed& event) {
  Machine* const machine = open(context);
  if (machine == nullptr) return;
  const Index gpu = gpu_of(*machine, event.gpu, context.record->at);
  if (gpu < 0) return context.drop();
  const std::size_t devices = machine->gpus.size() + machine->nics.size();
  const LineRef at = context.quote();
  machine->gpus[gpu].at = at;
  machine->gpus[gpu].numa = event.numa;
  for (std::string_view rest = event.paths; !rest.empty();) {
    std::string_view one = next_part(rest, ' ');
    const std::string_view to = next_part(one, '=');
    int index = -1;
    if (one.empty() || ++paths_ > max_all_paths) continue;
    if (to.starts_with("GPU")) std::from_chars(to.data() + 3, to.data() + to.size(), index);
    MachinePath path{.at = at, .gpu = gpu, .to_nic = index < 0};
    path.to = path.to_nic ? nic_of(*machine, to, at) : gpu_of(*machine, index, at);
    set_path(path, one);
    if (path.to >= 0) machine->paths.push_back(path);
  }
  items_ += machine->gpus.size() + machine->nics.size() - devices;
}

void Machines::apply(Context& context, const MachineNvlinkListed& event) {
  Machine* const machine = open(context);
  if (machine == nullptr) return;
  if (machine->nvlinks.size() >= max_nvlinks) return context.drop();
  const auto gpu = std::ranges::find(machine->gpus, event.from.value, &MachineGpu::bus_id);
  const int links = std::clamp(event.links, 0, 1024);
  const LineRef at = context.quote();
  if (event.to == "c2c") {
    if (gpu != machine->gpus.end()) gpu->c2c += links;
    return;
  }
  if (gpu != machine->gpus.end()) gpu->nvlinks += links;
  machine->nvlinks.push_back(
      {.at = at, .from = event.from.value, .to = hex_of(event.to), .to_switch = event.to == "switch", .links = links});
}

void Machines::apply(Context& context, const MachineLinkListed& event) {
  Machine* const machine = open(context);
  if (machine == nullptr) return;
  const PcieLink link{event.width, event.max_width, event.speed, event.max_speed};
  if (machine->gpus.size() >= max_items || machine->nics.size() >= max_items) return context.drop();
  const auto fill = [&](auto& device) {
    device.at = context.quote();
    device.bus_id = event.bus_id.value;
    device.link = link;
    device.product = std::string(event.device);
  };
  if (event.kind == "GPU")
    fill(machine->gpus.emplace_back());
  else
    fill(machine->nics.emplace_back());
}

void Machines::apply(Context& context, const MachineAcsListed& event) {
  Machine* const machine = open(context);
  if (machine == nullptr) return;
  if (machine->acs_bridges.size() >= max_items) return context.drop();
  machine->acs_bridges.push_back({.at = context.quote(),
                                  .bus_id = event.bus_id.value,
                                  .first_bus = event.first_bus.value,
                                  .last_bus = event.last_bus.value,
                                  .acs = std::string(event.acs)});
}

void Machines::apply(Context& context, const MachinePortListed& event) {
  Machine* const machine = open(context);
  if (machine == nullptr) return;
  if (machine->nics.size() >= max_items) return context.drop();
  MachineNic& nic = machine->nics.emplace_back();
  nic.at = context.quote();
  nic.name = std::string(event.device);
  nic.port = event.port;
  nic.guid = event.guid.value;
  nic.rate = event.rate;
  nic.state = state_of(event.state);
  nic.printed_state = std::string(event.state);
  nic.physical_state = std::string(event.physical);
  nic.link_layer = std::string(event.link);
  nic.interface = std::string(event.interface);
}

void Machines::apply(Context& context, const MachineGidListed& event) {
  Machine* const machine = open(context);
  if (machine == nullptr) return;
  if (machine->gids.size() >= max_gids) return context.drop();
  machine->gids.push_back({.at = context.quote(),
                           .device = std::string(event.device),
                           .port = event.port,
                           .index = event.index,
                           .gid = std::string(event.gid),
                           .kind = std::string(event.kind),
                           .interface = std::string(event.interface)});
}

void Machines::apply(Context& context, const MachineValueListed& event) {
  Machine* const machine = open(context);
  if (machine == nullptr) return;
  if (machine->values.size() >= max_items) return context.drop();
  machine->values.push_back({.at = context.quote(), .what = std::string(event.what), .number = event.number});
}

void Machines::apply(Context& context, const MachineGraphListed& event) {
  Machine* const machine = open(context);
  if (machine == nullptr) return;
  if (machine->graphs.size() >= max_items) return context.drop();
  PlannedGraph& graph = machine->graphs.emplace_back();
  graph.at = context.quote();
  graph.id = event.id;
  graph.pattern = event.pattern;
  graph.nchannels = event.nchannels;
  graph.speed_intra = event.speed_intra;
  graph.speed_inter = event.speed_inter;
  graph.type_intra = path_type(event.type_intra);
  graph.type_inter = path_type(event.type_inter);
}

void Machines::apply(Context& context, const MachineChannelListed& event) {
  Machine* const machine = open(context);
  if (machine == nullptr) return;
  const bool is_kept = !machine->graphs.empty() && machine->graphs.back().id == event.graph &&
                       machine->graphs.back().channels.size() < max_channels;
  if (!is_kept) return context.drop();
  machine->graphs.back().channels.emplace_back(event.path);
}

}  // namespace nccl_analyze::builder
