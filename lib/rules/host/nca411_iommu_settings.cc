// NCA411 reports host settings (IOMMU, PCIe ACS) that break or slow traffic between devices.

#include <algorithm>
#include <utility>

#include "nccl_analyze/events/environment.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/machines.h"
#include "queries/nvlink.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca411 {

namespace {

/// Whether the setting affects traffic between devices. RCCL also warns about other host settings, which alone are a
/// note.
bool is_about_peers(std::string_view setting) {
  return contains(setting, "iommu") || contains(setting, "FINE_GRAIN_PCIE");
}

/// Whether a benchmark in the same source measured results without known errors after this line.
bool worked_after(const Model& model, LineRef at) {
  const auto is_right = [&](const Measurement& one) {
    return one.wrong <= 0 && one.at.source == at.source && at < one.at;
  };
  return std::ranges::any_of(model.benchmarks, [&](const Benchmark& benchmark) {
    return benchmark.out_of_bounds <= 0 && std::ranges::any_of(benchmark.measurements, is_right);
  });
}

void add_missing_settings(const Model& model, RuleResult& result) {
  std::vector<std::string> missing;
  bool about_peers = false;
  Finding finding =
      claimed(model, [](const Incident& incident) { return incident.kind == IncidentKind::host_setting_missing; });
  for (const Index index : finding.incidents) {
    const std::string_view setting = model.incidents[index].event.as<HostSettingMissing>().setting;
    about_peers = about_peers || is_about_peers(setting);
    add_once(missing, concat("`", excerpt(setting, 60), "`"));
  }
  if (missing.empty()) return;
  finding.message = concat("RCCL misses ", list_text(missing), " on this host");
  if (!about_peers) {
    finding.own_severity = Severity::info;
    finding.own_stage = Stage::note;
    finding.survived = true;  // No process ends of it.
  }
  if (!finding.evidence.lines.empty() && worked_after(model, finding.evidence.lines.front())) {
    finding.own_severity = Severity::info;
    finding.message += "; the job worked without it";
  }
  result.findings.push_back(std::move(finding));
}

/// Whether a GPU or NIC in the same `lspci` output is below the bridge.
bool is_above_device(const AcsBridge& bridge, const Machine& machine) {
  constexpr unsigned bus_shift = 12;
  const auto is_below = [&](const auto& device) {
    const std::uint64_t bus = device.bus_id >> bus_shift;
    return device.bus_id != 0 && bridge.first_bus != 0 && bus >= bridge.first_bus && bus <= bridge.last_bus;
  };
  return std::ranges::any_of(machine.gpus, is_below) || std::ranges::any_of(machine.nics, is_below);
}

/// The bridges of a host that are above GPUs or NICs and redirect requests between devices to the CPU.
struct Redirecting {
  std::size_t count = 0;
  Evidence evidence;
};

Redirecting redirecting_bridges(const MachinesByHost& machines, Index host) {
  Redirecting found;
  for (const Machine* const machine : machines.of(host)) {
    for (const AcsBridge& bridge : machine->acs_bridges) {
      if (!contains(bridge.acs, "ReqRedir+") || !is_above_device(bridge, *machine)) continue;
      ++found.count;
      add_line(found.evidence, bridge.at);
    }
  }
  return found;
}

std::string acs_text(const Redirecting& bridges) {
  return concat("`lspci` shows ACS on at ", count_text(bridges.count, "PCIe bridge"), " above GPUs or NICs");
}

/// Reports bridges with ACS that `lspci` shows on hosts other than `reported`. The finding is a note, because the cost
/// depends on how the devices are connected.
void add_acs(const Model& model, const MachinesByHost& machines, const std::vector<Index>& reported,
             RuleResult& result) {
  MachineGroups groups;
  for (Index host = 0; host < static_cast<Index>(model.hosts.size()); ++host) {
    const Redirecting bridges = redirecting_bridges(machines, host);
    if (bridges.count == 0 || std::ranges::find(reported, host) != reported.end()) continue;
    MachineGroup& group =
        groups[concat(": ", acs_text(bridges), ", so that traffic between devices on PCIe goes through the CPU")];
    group.names.push_back(excerpt(model.hosts[host].name, 60));
    const std::vector<Index> processes = processes_on(model, host);
    group.processes.insert(group.processes.end(), processes.begin(), processes.end());
    group.evidence.add(bridges.evidence);
  }
  for (Finding& finding : findings_of(model, "On ", std::move(groups))) {
    finding.own_severity = Severity::info;
    finding.values.emplace_back("acs", "on");
    result.findings.push_back(std::move(finding));
  }
}

/// Reports NCCL's hints about ACS, and returns the hosts on which `lspci` confirms that ACS is on.
std::vector<Index> add_hints(const Model& model, const MachinesByHost& machines, RuleResult& result) {
  std::vector<Index> reported;
  for (Finding& one : incident_findings(model, {IncidentKind::acs_suspected}, [](const Incident&) {
         return std::string("NCCL suspects PCIe ACS behind an InfiniBand protection error: it is a guess of its own");
       })) {
    one.own_severity = Severity::info;
    for (const Index process : one.processes) {
      const Index host = model.processes[process].host_index;
      const Redirecting bridges = redirecting_bridges(machines, host);
      if (bridges.count == 0 || std::ranges::find(reported, host) != reported.end()) continue;
      one.message = concat("NCCL suspects PCIe ACS behind an InfiniBand protection error, and ", acs_text(bridges),
                           " of ", excerpt(model.hosts[host].name, 60));
      one.evidence.add(bridges.evidence);
      one.own_severity = Severity::warning;
      one.values.emplace_back("acs", "on");
      reported.push_back(host);
    }
    result.findings.push_back(std::move(one));
  }
  return reported;
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  add_missing_settings(model, result);
  const MachinesByHost machines(model);
  const std::vector<Index> reported = add_hints(model, machines, result);
  add_acs(model, machines, reported, result);
  return result;
}

}  // namespace nccl_analyze::nca411
