// Gathers the hardware of machines: from a topology file, else from the topology dump in the log, else from
// `nvidia-smi topo -m`, else from the GPUs and NICs that lines name.

#include "report/graph/hardware.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "queries/machines.h"
#include "text/escape.h"
#include "text/phrases.h"
#include "text/search.h"

namespace nccl_analyze {
namespace {

constexpr double megabits_of_gigabit = 1000, bits_of_byte = 8;

std::string rate_text(double gigabits) { return gigabits < 1 ? "" : concat(std::lround(gigabits), " Gb/s"); }

std::string gpu_name(int number, std::uint64_t bus_id) {
  return number >= 0 ? concat("GPU ", number) : "GPU " + to_hex(bus_id);
}

std::string link_text(const PcieLink& link, std::uint64_t bus_id) {
  std::string text = bus_id == 0 ? std::string() : "bus id " + to_hex(bus_id);
  if (link.width > 0) append_item(text, concat("PCIe x", link.width));
  if (link.speed > 0) append_item(text, concat(std::lround(link.speed), " GT/s"));
  return text;
}

std::string switch_text(std::uint64_t id) { return id == 0 ? std::string() : "PCIe switch " + to_hex(id); }

/// Names for each device the nearest PCIe switch that it shares with another device; its own if it shares none.
class SharedSwitches {
 public:
  void add(const std::vector<std::uint64_t>& switches) {
    for (const std::uint64_t id : switches) ++devices_[id];
  }
  std::string of(const std::vector<std::uint64_t>& switches) const {
    for (std::size_t i = switches.size(); i-- > 0;)
      if (devices_.at(switches[i]) > 1) return switch_text(switches[i]);
    return switches.empty() ? std::string() : switch_text(switches.back());
  }

 private:
  std::map<std::uint64_t, std::size_t> devices_;
};

/// Numbers groups of devices that `nvidia-smi topo -m` shows at most PCIe switches apart.
class Groups {
 public:
  explicit Groups(const Machine& machine) : gpus_(machine.gpus.size()), parents_(gpus_ + machine.nics.size()) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    for (const MachinePath& path : machine.paths)
      if (path.type == PathType::pix || path.type == PathType::pxb)
        parents_[root(at(path.gpu, false))] = root(at(path.to, path.to_nic));
  }
  /// Returns `PCIe switch #1`, a number for each group; empty for a device that shares no switch.
  std::string of(std::size_t index, bool is_nic) {
    const std::size_t group = root(index + (is_nic ? gpus_ : 0));
    const auto members = static_cast<std::size_t>(
        std::count_if(parents_.begin(), parents_.end(), [&](std::size_t& one) { return root(one) == group; }));
    if (members < 2) return {};
    return concat("PCIe switch #", numbers_.try_emplace(group, numbers_.size() + 1).first->second);
  }

 private:
  std::size_t at(Index index, bool is_nic) const { return static_cast<std::size_t>(index) + (is_nic ? gpus_ : 0); }
  std::size_t root(std::size_t one) {
    while (parents_[one] != one) one = parents_[one] = parents_[parents_[one]];
    return one;
  }

  std::size_t gpus_;
  std::vector<std::size_t> parents_;
  std::map<std::size_t, std::size_t> numbers_;
};

/// Adds the NVLinks that the paths show. If a GPU reaches others over more links than it has, they go to switches.
void add_links(const Machine& machine, Hardware& hardware) {
  constexpr int most_links = 18;  // NVLinks of a GPU up to Blackwell; later ones are sold with switches only
  std::vector<int> sums(machine.gpus.size());
  for (const MachinePath& path : machine.paths) {
    if (path.to_nic || path.type != PathType::nvl) continue;
    int& sum = sums[static_cast<std::size_t>(path.gpu)];
    sum = std::min(sum, 1 << 20) + std::clamp(path.nvlinks, 0, 1 << 10);
    hardware.has_switch = hardware.has_switch || sum > most_links;
    hardware.links_to_switch = std::max(hardware.links_to_switch, path.nvlinks);
    if (path.gpu < path.to)
      hardware.links.push_back({static_cast<std::size_t>(path.gpu), static_cast<std::size_t>(path.to), path.nvlinks});
  }
  for (const MachineNvlink& one : machine.nvlinks) hardware.has_switch = hardware.has_switch || one.to_switch;
  for (std::size_t i = 0; i < sums.size(); ++i)
    hardware.gpus[i].has_nvlink = sums[i] > 0 || machine.gpus[i].nvlinks > 0;
  if (!hardware.has_switch) {
    hardware.links_to_switch = 0;
    return;
  }
  hardware.links.clear();
  for (const MachineGpu& gpu : machine.gpus) hardware.links_to_switch = std::max(hardware.links_to_switch, gpu.nvlinks);
}

/// The NIC's NUMA node: in a matrix that of a GPU at most a host bridge away.
int numa_of(const Machine& machine, std::size_t nic) {
  if (machine.nics[nic].numa >= 0) return machine.nics[nic].numa;
  for (const MachinePath& path : machine.paths)
    if (path.to_nic && static_cast<std::size_t>(path.to) == nic && path.type != PathType::sys)
      return machine.gpus[path.gpu].numa;
  return -1;
}

/// Adds what the host's lines tell about the NIC: NCCL's speed, where the document shows none.
std::string nic_rate(const Host* host, const MachineNic& nic) {
  if (nic.rate > 0 || host == nullptr) return rate_text(nic.rate);
  for (const HostNic& known : host->nics)
    if (known.name == nic.name && known.speed > 0) return rate_text(known.speed / megabits_of_gigabit);
  return {};
}

/// Whether another port of the NIC is there already.
bool has_nic(const Hardware& hardware, const std::string& name) {
  return std::ranges::find(hardware.nics, name, &Device::name) != hardware.nics.end();
}

Hardware from_document(const Model& model, const Machine& machine) {
  Hardware hardware{.name = machine_text(model, machine),
                    .cpu = machine.cpu,
                    .source = std::string(tool_text(machine)),
                    .host = machine.host};
  const bool is_matrix = machine.tool == MachineTool::topo_matrix;
  SharedSwitches switches;
  for (const MachineGpu& gpu : machine.gpus) switches.add(gpu.switches);
  for (const MachineNic& nic : machine.nics) switches.add(nic.switches);
  Groups groups(machine);
  for (std::size_t i = 0; i < machine.gpus.size(); ++i) {
    const MachineGpu& gpu = machine.gpus[i];
    Device& made = hardware.gpus.emplace_back();
    made.name = gpu_name(gpu.index, gpu.bus_id);
    if (gpu.c2c > 0) made.more.emplace_back("C2C to the CPU");
    made.about = link_text(gpu.link, gpu.bus_id);
    made.numa = gpu.numa;
    made.pci_switch = is_matrix ? groups.of(i, false) : switches.of(gpu.switches);
    made.gpu = gpu.gpu;
  }
  const Host* const host = model.hosts.find(machine.host);
  for (std::size_t i = 0; i < machine.nics.size(); ++i) {
    const MachineNic& nic = machine.nics[i];
    const std::string& name = nic.name.empty() ? nic.label : nic.name;
    if (has_nic(hardware, name)) continue;
    Device& made = hardware.nics.emplace_back();
    made.name = name;
    made.more.push_back(nic_rate(host, nic));
    made.about = link_text(nic.link, nic.bus_id);
    made.numa = numa_of(machine, i);
    made.pci_switch = is_matrix ? groups.of(i, true) : switches.of(nic.switches);
  }
  add_links(machine, hardware);
  return hardware;
}

bool is_drawn(const Host& host, std::size_t index) {
  const HostNic& nic = host.nics[index];
  const auto uses_it = [&](const HostGpu& gpu) {
    return std::ranges::find(gpu.nics, static_cast<Index>(index)) != gpu.nics.end();
  };
  return !contains(nic.name, "+") && (nic.network != "Socket" || std::ranges::any_of(host.gpus, uses_it));
}

/// Adds the bus id to the label of each GPU whose name another one has too: every container counts its GPUs from 0.
void tell_apart(std::vector<Device>& gpus) {
  std::map<std::string_view, std::size_t> names;
  for (const Device& gpu : gpus) ++names[gpu.name];
  for (Device& gpu : gpus)
    if (names.at(gpu.name) > 1) gpu.more.push_back(gpu.about);
}

Hardware from_log(const Model& model, Index index) {
  const Host& host = model.hosts[index];
  Hardware hardware{.name = host.name.empty() ? host.pod : host.name, .cpu = host.cpu, .host = index};
  if (host.topology_at.line > 0) hardware.source = "NCCL's topology dump in the log";
  hardware.has_switch = host.nvlink == Nvlink::switched;
  for (std::size_t i = 0; i < host.gpus.size(); ++i) {
    const HostGpu& gpu = host.gpus[i];
    Device& made = hardware.gpus.emplace_back();
    made.name = gpu_name(gpu.nvml_dev, gpu.bus_id);
    made.about = gpu.bus_id == 0 ? "" : "bus id " + to_hex(gpu.bus_id);
    made.numa = gpu.cpu;
    made.pci_switch = switch_text(gpu.pci_switch);
    made.has_nvlink = host.topology_at.line == 0 || gpu.nvlink_bandwidth > 0;
    made.gpu = static_cast<Index>(i);
  }
  tell_apart(hardware.gpus);
  for (std::size_t i = 0; i < host.nics.size(); ++i) {
    if (!is_drawn(host, i)) continue;
    const HostNic& nic = host.nics[i];
    const std::string name = nic.name.empty() ? concat("NIC ", nic.index) : nic.name;
    if (has_nic(hardware, name)) continue;
    Device& made = hardware.nics.emplace_back();
    made.name = name;
    const double rate = nic.speed > 0             ? nic.speed / megabits_of_gigabit
                        : nic.network == "Socket" ? 0
                                                  : nic.bandwidth * bits_of_byte;
    made.more.push_back(rate_text(rate));
    append_item(made.more.back(), nic.link, " ");
    made.numa = nic.cpu;
    made.pci_switch = switch_text(nic.pci_switch);
  }
  return hardware;
}

/// Returns the document that shows the PCIe tree of the host, or at least its paths; null without one. A document whose
/// GPUs are not those of the host shows nothing that NCCL uses.
const Machine* document_of(const MachinesByHost& machines, const Host& host, Index index) {
  const Machine* best = nullptr;
  for (const Machine* const machine : machines.of(index)) {
    const bool is_tree = machine->tool == MachineTool::topology_xml;
    if (!is_tree && (machine->tool != MachineTool::topo_matrix || host.topology_at.line > 0)) continue;
    const bool fits = std::ranges::any_of(machine->gpus, [](const MachineGpu& gpu) { return gpu.gpu >= 0; });
    if (!machine->gpus.empty() && (fits || host.gpus.empty()) && (best == nullptr || is_tree)) best = machine;
  }
  return best;
}

}  // namespace

std::vector<Hardware> hardware_of(const Model& model) {
  std::vector<Hardware> all;
  const MachinesByHost machines(model);
  for (std::size_t i = 0; i < model.hosts.size(); ++i) {
    const auto index = static_cast<Index>(i);
    const Machine* const document = document_of(machines, model.hosts[i], index);
    Hardware made = document == nullptr ? from_log(model, index) : from_document(model, *document);
    if (!made.gpus.empty() || !made.nics.empty()) all.push_back(std::move(made));
  }
  for (const Machine& machine : model.machines)
    if (machine.host < 0 && !machine.gpus.empty() && !machine.several_hosts &&
        (machine.tool == MachineTool::topology_xml || machine.tool == MachineTool::topo_matrix))
      all.push_back(from_document(model, machine));
  return all;
}

}  // namespace nccl_analyze
