// NCA318 reports timeouts of Google's plugins GPUDirect-TCPX and TCPXO, whose wording differs by release.

#include <algorithm>

#include "nccl_analyze/events/plugin.h"
#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca318 {

namespace {

std::string what(const Incident& incident) {
  if (incident.topic != "tcpx-timeout") return {};
  const auto& event = incident.event.as<VendorNetworkNoted>();
  std::string_view said = event.detail;
  said.remove_prefix(std::min(said.find_first_not_of(" :"), said.size()));
  return concat("The network ", excerpt(event.network, 40), " timed out waiting: ", excerpt(said));
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{incident_findings(model, {IncidentKind::vendor_network_warned}, what)};
  for (Finding& finding : result.findings) {
    finding.survived = !finding.processes.empty() && std::ranges::all_of(finding.processes, [&](Index process) {
      return process_of(model, process)->ended_in_order;
    });
    if (finding.survived) finding.own_severity = Severity::warning;
  }
  return result;
}

}  // namespace nccl_analyze::nca318
