// NCA312 reports fatal errors of a NIC or of one of its queues.

#include <algorithm>
#include <utility>

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca312 {

namespace {

std::string device_what(const Incident&) { return "lost a NIC: the device reports a fatal error of its own"; }

std::string queue_what(const Incident& incident) {
  return concat("lost a queue of a NIC (", excerpt(incident.error, 80), ")");
}

/// Adds the failed call of the thread that waits for events of the device. The call fails because the device is gone.
void add_echo(const Model& model, Finding& finding) {
  const auto is_echo = [&](const Incident& incident) {
    return incident.kind == IncidentKind::call_failed &&
           incident.event.as<CallFailed>().call == "ibv_get_async_event" &&
           std::ranges::binary_search(finding.processes, incident.process);
  };
  claim_all(model, is_echo, finding);
}

/// Whether only processes beside those of the finding report a refused request. A NIC that refuses one reports it as an
/// event of its own queue: then both may be one fault, and neither follows from the other.
bool may_be_other_end(const Model& model, const Finding& finding) {
  bool refused = false;
  for (const Incident& incident : model.incidents) {
    if (rdma_fault(incident) != RdmaFault::memory) continue;
    if (std::ranges::find(finding.processes, incident.process) != finding.processes.end()) return false;
    refused = refused || incident.process >= 0;
  }
  return refused && !finding.processes.empty();
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{rdma_findings(model, RdmaFault::device_fatal, device_what)};
  for (Finding& finding : result.findings) add_echo(model, finding);
  for (Finding& finding : rdma_findings(model, RdmaFault::queue_fatal, queue_what)) {
    finding.own_stage = Stage::network;  // A refused memory access breaks a queue too, so NCA306 may explain it.
    if (may_be_other_end(model, finding)) finding.values.emplace_back("other end of", "ib-memory-error");
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace nccl_analyze::nca312
