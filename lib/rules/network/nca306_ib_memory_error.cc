// NCA306 reports NICs that were refused access to memory, or could not register it: mostly a fault of GPUDirect RDMA.

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "rules/words/table.h"
#include "text/message_text.h"

namespace nccl_analyze::nca306 {

namespace {

std::string what(const Incident& incident) {
  if (incident.kind == IncidentKind::ofi_request_failed)
    return concat("was refused memory over EFA (", excerpt(incident.error, 100), ")");
  if (incident.kind == IncidentKind::call_failed)
    return concat("could not register memory with a NIC (", excerpt(incident.event.as<CallFailed>().call, 40),
                  when(!incident.error.empty(), ": ", excerpt(incident.error, 80)), ")");
  return std::string(table_text("NCA306", std::to_string(incident.event.as<IbCompletionFailed>().status)));
}

}  // namespace

RuleResult check(const Model& model) { return {rdma_findings(model, RdmaFault::memory, what)}; }

}  // namespace nccl_analyze::nca306
