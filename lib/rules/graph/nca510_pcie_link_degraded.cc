// NCA510 reports GPUs and NICs with fewer PCIe lanes than equal devices of the same host or of identical hosts.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/machines.h"
#include "queries/nvlink.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca510 {

namespace {

/// The PCIe link of a device in a document about a machine.
struct Device {
  std::string kind;  ///< `GPU` or `NIC`
  std::uint64_t bus_id = 0;
  std::string like;  ///< Devices with equal text should have equal links.
  PcieLink link;
  Index gpu = -1;
  LineRef at;
};

/// Lists the devices whose links can be compared. Only widths are compared, because GPUs lower the speed of their link
/// while they are idle. For NICs, NCCL's topology file gives the link that both the device and its slot support.
std::vector<Device> devices_of(const Machine& machine) {
  const bool is_lspci = machine.tool == MachineTool::lspci;
  std::vector<Device> devices;
  if (!is_lspci && machine.tool != MachineTool::topology_xml) return devices;
  for (const MachineGpu& gpu : machine.gpus)
    devices.push_back({"GPU", gpu.bus_id, gpu.product, gpu.link, gpu.gpu, gpu.at});
  for (const MachineNic& nic : machine.nics) {
    if (contains(nic.name, "+") || nic.bus_id == 0) continue;  // NCCL adds up the links of merged ports.
    devices.push_back({"NIC", nic.bus_id, is_lspci ? nic.product : std::to_string(nic.rate), nic.link, -1, nic.at});
  }
  std::erase_if(devices, [](const Device& device) { return device.link.width < 1; });
  return devices;
}

/// Whether the devices are alike, so that their links should have the same width.
bool are_alike(const Device& a, const Device& b) { return a.kind == b.kind && a.like == b.like; }

/// Returns the link width of most devices that are alike, of which there must be at least three, if it is above the
/// width of this device; else 0.
int usual_width(const Device& device, const std::vector<Device>& all) {
  std::map<int, std::size_t> counts;
  std::set<std::uint64_t> seen;
  for (const Device& other : all)
    if (are_alike(device, other) && seen.insert(other.bus_id).second) ++counts[other.link.width];
  constexpr std::size_t fewest = 3;
  const auto most = std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
  const bool is_usual = seen.size() >= fewest && most->second * 2 > seen.size();
  return is_usual && most->first > device.link.width ? most->first : 0;
}

/// The widest link at each bus id, over all hosts that have the same devices at the same bus ids (twins).
class Twins {
 public:
  explicit Twins(const Model& model) {
    for (const Machine& machine : model.machines) {
      if (machine.host < 0) continue;
      const std::vector<Device> devices = devices_of(machine);
      std::map<std::uint64_t, int>& widest = widest_[key_of(machine, devices)];
      for (const Device& device : devices) widest[device.bus_id] = std::max(widest[device.bus_id], device.link.width);
    }
  }
  /// Returns the width of the widest link of a twin at the bus id of the device, if it is wider; else 0.
  int wider(const Machine& machine, const std::vector<Device>& devices, const Device& device) const {
    const auto twins = widest_.find(key_of(machine, devices));
    if (machine.host < 0 || twins == widest_.end()) return 0;
    const auto found = twins->second.find(device.bus_id);
    return found != twins->second.end() && found->second > device.link.width ? found->second : 0;
  }

 private:
  using Key = std::pair<MachineTool, std::vector<std::pair<std::uint64_t, std::string>>>;
  static Key key_of(const Machine& machine, const std::vector<Device>& devices) {
    Key key{machine.tool, {}};
    for (const Device& device : devices) key.second.emplace_back(device.bus_id, device.like);
    return key;
  }
  std::map<Key, std::map<std::uint64_t, int>> widest_;
};

/// Returns the bus ids of the NICs that NCCL uses on the host: those of topology dumps and topology files.
std::set<std::uint64_t> nics_of_nccl(const Model& model, const MachinesByHost& machines, Index host) {
  std::set<std::uint64_t> nics;
  if (host < 0) return nics;
  for (const HostNic& nic : model.hosts[host].nics) nics.insert(nic.bus_id);
  for (const Machine* const machine : machines.of(host))
    if (machine->tool == MachineTool::topology_xml)
      for (const MachineNic& nic : machine->nics) nics.insert(nic.bus_id);
  nics.erase(0);
  return nics;
}

struct Narrow {
  std::string text;
  int usual = 0;
};

/// Returns the fault of the device's link, if other links prove one; else an empty text. `twin`: see Twins::wider().
Narrow judge(const Device& device, const std::vector<Device>& all, int twin) {
  const int usual = std::max(usual_width(device, all), twin);
  if (usual == 0) return {};
  std::string text = concat(device.kind, " ", bus_id_text(device.bus_id), " on x", device.link.width);
  if (device.link.max_width > device.link.width) text += concat(" though capable of x", device.link.max_width);
  return {std::move(text), usual};
}

void judge(const Model& model, const Machine& machine, const std::set<std::uint64_t>& nics, const Twins& twins,
           const GpuRanks& ranks, MachineGroups& groups) {
  const std::vector<Device> devices = devices_of(machine);
  struct Lost {
    std::vector<std::string> texts;
    Evidence evidence;
  };
  std::map<std::pair<std::string_view, int>, Lost> lost;  // By kind and usual width.
  std::vector<Index> processes;
  for (const Device& device : devices) {
    if (device.kind == "NIC" && machine.tool == MachineTool::lspci && !nics.contains(device.bus_id)) continue;
    Narrow narrow = judge(device, devices, twins.wider(machine, devices, device));
    if (narrow.text.empty()) continue;
    Lost& group = lost[{device.kind, narrow.usual}];
    group.texts.push_back(std::move(narrow.text));
    add_line(group.evidence, device.at);
    if (device.gpu < 0) continue;
    const std::vector<Index> own = ranks.processes_of(machine.host, device.gpu);
    processes.insert(processes.end(), own.begin(), own.end());
  }
  if (processes.empty() && machine.host >= 0) processes = processes_on(model, machine.host);
  for (const auto& [key, one] : lost) {
    MachineGroup& group =
        groups[concat(" have lost lanes: ", list_text(one.texts), ", where devices of the same kind have x", key.second,
                      " (", tool_text(machine), ")")];
    group.names.push_back(machine_text(model, machine));
    group.processes.insert(group.processes.end(), processes.begin(), processes.end());
    group.evidence.add(one.evidence);
  }
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  if (model.machines.empty()) return result;
  const MachinesByHost machines(model);
  const Twins twins(model);
  const GpuRanks ranks(model);
  MachineGroups groups;
  std::set<std::pair<Index, MachineTool>> judged;  // Two files of one host show the same links.
  for (const Machine& machine : model.machines) {
    if (machine.host >= 0 && !judged.emplace(machine.host, machine.tool).second) continue;
    judge(model, machine, nics_of_nccl(model, machines, machine.host), twins, ranks, groups);
  }
  result.findings = findings_of(model, "PCIe links of ", std::move(groups));
  return result;
}

}  // namespace nccl_analyze::nca510
