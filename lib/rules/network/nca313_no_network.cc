// NCA313 reports that NCCL found no usable network: a setting allows only a network that does not exist.

#include <algorithm>

#include "nccl_analyze/events/plugin.h"
#include "nccl_analyze/rule.h"
#include "queries/machines.h"
#include "queries/network.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "rules/support/pods.h"
#include "text/message_text.h"

namespace nccl_analyze::nca313 {

namespace {

/// Adds to the message the setting that excludes all existing networks. NCCL 2.27 does not print NCCL_NET, but unused
/// TCP sockets prove that a network name excludes them.
void add_reason(const Model& model, const MachinesByHost& machines, Finding& finding) {
  bool has_sockets = false;
  bool lacks_ib = false;
  std::string asked;
  for (const Process* process : known_processes(model, finding.processes)) {
    has_sockets |= !process->socket_devices.empty();
    lacks_ib |= process->ib_absent && !has_nics(machines, process->host_index);
    if (asked.empty()) asked = excerpt(network_asked_for(*process), 60);
  }
  if (!asked.empty()) {
    finding.message += concat(" (NCCL_NET=", asked, ")");
  } else if (has_sockets) {
    finding.message +=
        ", although TCP sockets are there: NCCL_NET, or the network name in the communicator's "
        "configuration, allows only another network";
  }
  if (lacks_ib) finding.message += "; NCCL found no InfiniBand device";
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  const JobHostSpans spans(model);
  if (std::ranges::any_of(model.processes, [&](const Process& one) { return misses_infiniband(model, spans, one); }))
    return result;  // NCA303 reports this case.
  result.findings = incident_findings(model, {IncidentKind::network_missing}, [](const Incident& incident) {
    const std::string_view network = incident.event.as<NetworkMissing>().network;
    return network.empty() ? std::string("NCCL could initialise no network that it was allowed to use")
                           : concat("The network ", excerpt(network, 60), " was asked for and is not there");
  });
  const MachinesByHost machines(model);
  for (Finding& finding : result.findings) {
    const std::string_view asked_for = model.incidents[finding.incidents.front()].event.as<NetworkMissing>().network;
    if (!asked_for.empty()) finding.values.push_back({"network", std::string(asked_for)});
    add_reason(model, machines, finding);
    for (const Process* process : known_processes(model, finding.processes))
      if (const EnvValue* asked = setting(*process, "NCCL_NET")) finding.evidence.add(asked->at);
    add_lack(lacks_device(model, finding.processes), finding);
  }
  return result;
}

}  // namespace nccl_analyze::nca313
