// NCA303 reports InfiniBand devices that a setting requests or the machine shows, and that NCCL cannot use.

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nccl_analyze/events/external.h"
#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/events/lists.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "queries/network.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "rules/support/rdma_findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca303 {

namespace {

constexpr std::string_view wishes[] = {"NCCL_NET", "NCCL_NET_PLUGIN", "NCCL_IB_HCA"};

std::string wish_text(const Process& process) {
  for (const std::string_view variable : wishes)
    if (const EnvValue* value = setting(process, variable)) return concat(variable, "=", excerpt(value->value, 60));
  return "a setting";
}

std::string device_text(const Incident& incident) {
  const auto& event = incident.event.as<IbDeviceUnusable>();
  return concat(event.device.empty() ? std::string("of this host") : excerpt(port_name(event.device, event.port), 40),
                " (unable to ", excerpt(event.operation, 40), ")");
}

/// Devices with which the same processes failed in the same operation.
struct UnusableDevices {
  std::string operation;
  std::vector<std::string> names;  ///< Empty where NCCL names no device.
  Finding finding;
};

std::vector<UnusableDevices> unusable_devices(const Model& model) {
  std::vector<UnusableDevices> found;
  for (Finding& finding : incident_findings(model, {IncidentKind::ib_device_unusable}, device_text)) {
    const auto& event = model.incidents[finding.incidents.front()].event.as<IbDeviceUnusable>();
    const auto alike = std::ranges::find_if(found, [&](const UnusableDevices& one) {
      return !one.names.empty() && !event.device.empty() && one.operation == event.operation &&
             one.finding.processes == finding.processes;
    });
    std::vector<std::string> names;
    if (!event.device.empty()) names.push_back(excerpt(port_name(event.device, event.port), 40));
    if (alike == found.end()) {
      found.push_back({std::string(event.operation), std::move(names), std::move(finding)});
      continue;
    }
    alike->names.push_back(names.front());
    alike->finding.evidence.add(finding.evidence);
    std::ranges::copy(finding.incidents, std::back_inserter(alike->finding.incidents));
  }
  return found;
}

std::string unusable_text(const UnusableDevices& devices) {
  const bool is_one = devices.names.size() <= 1;
  return concat("NCCL sees the RDMA device", is_one ? " " : "s ",
                devices.names.empty() ? std::string("of this host") : list_text(devices.names), " and cannot use ",
                is_one ? "it" : "them", " (unable to ", excerpt(devices.operation, 40), ")");
}

/// Adds to the finding the failed calls of ibv_open_device, which NCCL prints before it names the device.
void add_open_calls(const Model& model, Finding& finding) {
  const auto is_open_call = [&](const Incident& incident) {
    return incident.kind == IncidentKind::call_failed && incident.event.as<CallFailed>().call == "ibv_open_device" &&
           std::ranges::binary_search(finding.processes, incident.process);
  };
  claim_all(model, is_open_call, finding);
}

/// Reports devices that the verbs library lists but cannot open: the container or its permissions are wrong. A job
/// inside one host needs no InfiniBand, so nothing is reported for it.
void add_unusable(const Model& model, const JobHostSpans& spans, RuleResult& result) {
  for (UnusableDevices& devices : unusable_devices(model)) {
    Finding& finding = devices.finding;
    const Proof proof = spans.of(finding.processes);
    if (proof == Proof::disproven) continue;
    finding.message = unusable_text(devices);
    if (proof == Proof::open) finding.message += if_it_spans_hosts;
    finding.own_severity = Severity::warning;
    add_open_calls(model, finding);
    result.findings.push_back(std::move(finding));
  }
}

/// Whether the interface is IP over InfiniBand, by names such as `ib0`, `ibs3` and `ibp12s0`. Only machines with an
/// InfiniBand port have such an interface.
bool is_ipoib(std::string_view interface) {
  constexpr std::size_t least = 3;
  return interface.starts_with("ib") && interface.size() >= least &&
         ((interface[2] >= '0' && interface[2] <= '9') || interface[2] == 's' || interface[2] == 'p');
}

std::string_view ipoib_of(const Process& process) {
  if (is_ipoib(process.bootstrap_interface)) return process.bootstrap_interface;
  InterfaceList devices(process.socket_devices);
  for (NetworkInterface device; devices.next(device);)
    if (is_ipoib(device.name)) return device.name;
  return {};
}

/// Reports TCP traffic on a machine with an IPoIB interface when no setting requests or disables InfiniBand.
void add_ipoib(const Model& model, const JobHostSpans& spans, const std::set<Index>& explained, RuleResult& result) {
  const auto judge = [&](Index index, const Process& process, ProcessGroup& group) -> std::string {
    if (!process.ib_absent || !uses_nccl_sockets(process) || misses_infiniband(model, spans, process) ||
        switched_on(process, "NCCL_IB_DISABLE") || setting(process, "NCCL_IB_HCA") != nullptr ||
        !network_asked_for(process).empty())
      return {};
    const std::string_view interface = ipoib_of(process);
    if (interface.empty() || spans.of(index) == Proof::disproven || explained.contains(index)) return {};
    add_line(group.evidence, process.ib_at);
    add_line(group.evidence, process.network_at);
    add_line(group.evidence, process.socket_at.line > 0 ? process.socket_at : process.bootstrap_at);
    return concat(
        "The interface ", excerpt(interface, 40),
        " shows that this machine has InfiniBand, and NCCL finds no device of it: data goes over TCP sockets");
  };
  for (Finding& finding : each_process(model, judge)) {
    if (spans.of(finding.processes) == Proof::open) finding.message += if_it_spans_hosts;
    finding.own_severity = Severity::warning;
    finding.values.push_back({"story", "ipoib"});
    result.findings.push_back(std::move(finding));
  }
}

/// Returns the driver in a warning of libibverbs, such as `libmlx5-rdmav34.so`; empty if the warning names none.
std::string driver_of(const Incident& incident) {
  constexpr std::string_view before = "driver '";
  const std::size_t at = incident.message.find(before);
  if (at == std::string::npos) return {};
  const std::size_t name = at + before.size();
  return incident.message.substr(name, incident.message.find('\'', name) - name);
}

/// Describes the fault of the verbs library, as the library or NCCL reports it; empty for other incidents.
std::string lack_of(const Incident& incident) {
  if (incident.kind == IncidentKind::other_warning)
    return contains(incident.message, "Failed to open libibverbs") ? "The verbs library libibverbs.so cannot be loaded"
                                                                   : "";
  if (incident.kind != IncidentKind::phrase_seen || incident.topic != "ib-no-device") return {};
  const std::string_view phrase = incident.event.as<PhraseSeen>().phrase;
  if (contains(phrase, "kernel ABI")) return "The library of a NIC does not fit the kernel's driver";
  if (contains(phrase, "no userspace")) return "The verbs library has no driver for a device of this host";
  if (!contains(phrase, "load driver")) return {};
  return concat("The verbs library cannot load the driver of a NIC (", excerpt(driver_of(incident), 60), ")");
}

/// Whether somebody set NCCL_IB_DISABLE to 0, which is NCCL's default: the job is then meant to use InfiniBand or RoCE.
bool allows_infiniband(const Process& process) {
  const EnvValue* const disable = setting(process, "NCCL_IB_DISABLE");
  return disable != nullptr && disable->value.view().starts_with('0');
}

/// Whether the incident is the reason why this process has no InfiniBand. NCCL's own message counts only if a setting
/// requests InfiniBand or an IPoIB interface shows it, because machines without it need no verbs library. The library's
/// warnings name no process.
bool explains_absence(const Model& model, const JobHostSpans& spans, Index index, const Incident& incident) {
  const Process& process = model.processes[index];
  if (incident.evidence.lines.empty() || incident.evidence.lines.front().source != process.source) return false;
  if (incident.kind == IncidentKind::other_warning)
    return incident.process == index && (wants_infiniband(model, spans, process) || allows_infiniband(process) ||
                                         (!ipoib_of(process).empty() && network_asked_for(process).empty() &&
                                          !switched_on(process, "NCCL_IB_DISABLE")));
  return process.ib_absent && !switched_on(process, "NCCL_IB_DISABLE") &&
         (incident.process < 0 || incident.process == index);
}

/// Reports hosts whose verbs library cannot be used, and returns the processes that lack InfiniBand for this reason.
std::set<Index> add_library(const Model& model, const JobHostSpans& spans, RuleResult& result) {
  std::set<Index> explained;
  for (const Incident& incident : model.incidents) {
    const std::string lack = lack_of(incident);
    if (lack.empty()) continue;  // NCCL always goes on, over sockets.
    ProcessGroup group;
    for (const Process& process : model.processes) {
      const Index index = index_of(model, process);
      if (!uses_nccl_sockets(process) || spans.of(index) == Proof::disproven ||
          !explains_absence(model, spans, index, incident))
        continue;
      group.processes.push_back(index);
      add_line(group.evidence, process.ib_at);
      add_line(group.evidence, process.network_at.line > 0 ? process.network_at : process.socket_at);
      if (!ipoib_of(process).empty())
        add_line(group.evidence, process.socket_at.line > 0 ? process.socket_at : process.bootstrap_at);
    }
    if (group.processes.empty()) continue;
    explained.insert(group.processes.begin(), group.processes.end());
    Evidence shown = std::exchange(group.evidence, incident.evidence);
    Finding& finding = result.findings.emplace_back(finding_of(
        model, concat(lack, ", and NCCL finds no InfiniBand device: data goes over TCP sockets"), std::move(group)));
    finding.evidence.add(shown);
    finding.incidents = {index_of(model, incident)};
    if (spans.of(finding.processes) == Proof::open) finding.message += if_it_spans_hosts;
    finding.own_severity = Severity::warning;
    const bool is_abi = contains(incident.message, "kernel ABI");
    finding.values = {{"story", is_abi ? "abi" : "library"}, {"file", driver_of(incident)}};
  }
  return explained;
}

}  // namespace

RuleResult check(const Model& model) {
  const JobHostSpans spans(model);
  RuleResult result;
  const std::set<Index> explained = add_library(model, spans, result);
  add_unusable(model, spans, result);
  add_ipoib(model, spans, explained, result);
  const auto judge = [&](Index index, const Process& process, ProcessGroup& group) -> std::string {
    if (!misses_infiniband(model, spans, process) || explained.contains(index)) return {};
    add_line(group.evidence, process.ib_at);
    for (const std::string_view variable : wishes)
      if (const EnvValue* value = setting(process, variable)) add_line(group.evidence, value->at);
    add_line(group.evidence, process.network_at);
    return concat(wish_text(process), " asks for InfiniBand or RoCE, and NCCL finds no such device");
  };
  for (Finding& of : each_process(model, judge)) {
    Finding& finding = result.findings.emplace_back(std::move(of));
    for (const Incident& incident : model.incidents)
      if (incident.kind == IncidentKind::network_missing) finding.evidence.add(incident.evidence);
    if (finding.evidence.count == 0) finding.evidence = evidence_at(model.processes[finding.processes.front()].first);
    if (const EnvValue* filter = setting(model.processes[finding.processes.front()], "NCCL_IB_HCA"))
      finding.values.push_back({"value", filter->value.str()});
    // Without any network, NCCL fails even on a single host.
    const bool goes_on =
        std::ranges::all_of(finding.processes, [&](Index index) { return uses_nccl_sockets(model.processes[index]); });
    if (!goes_on || spans.of(finding.processes) != Proof::open) continue;
    finding.message += concat(": data goes over TCP sockets", if_it_spans_hosts);
    finding.own_severity = Severity::warning;
  }
  return result;
}

}  // namespace nccl_analyze::nca303
