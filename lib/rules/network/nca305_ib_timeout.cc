// NCA305 reports NICs whose peer did not answer or was not ready to receive: the fault is at the peer or on the path to
// it.

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "queries/site.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca305 {

namespace {

std::string what(const Incident& incident) {
  if (incident.kind == IncidentKind::ofi_request_failed)
    return contains(incident.error, "UNDELIVERABLE")  // The word of Slingshot's provider.
               ? "sent to a NIC that the fabric cannot reach (UNDELIVERABLE)"
               : incident.error == "unknown error"
                     ? "got no answer over EFA (completion status 20, response timeout)"
                     : concat("got no answer over EFA (", excerpt(incident.error, 100), ")");
  return incident.event.as<IbCompletionFailed>().status == 12
             ? "got no answer from another NIC (completion status 12, retries exceeded)"
             : "found the receiver not ready (completion status 13, RNR retries exceeded)";
}

/// Whether every process of the finding took a failed device out of service and continued over other ports, as NCCL
/// 2.29.7 and later can.
bool was_moved(const Model& model, const Finding& finding) {
  std::size_t moved = 0;
  for (const Index process : finding.processes)
    for (const Incident& incident : model.incidents)
      if (incident.process == process && incident.kind == IncidentKind::ib_device_failed) {
        ++moved;
        break;
      }
  return moved > 0 && moved == finding.processes.size();
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{rdma_findings(model, RdmaFault::timeout, what)};
  for (Finding& finding : result.findings) {
    finding.message += gid_index_text(model, finding.processes);
    add_gid_reading(model, finding);
    if (!was_moved(model, finding)) continue;
    finding.survived = true;  // NCA307 reports the failed port.
    finding.own_severity = Severity::warning;
  }
  return result;
}

}  // namespace nccl_analyze::nca305
