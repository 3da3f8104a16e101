// NCA306 reports NICs that were refused access to memory, or could not register it: mostly a fault of GPUDirect RDMA.

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca306 {

namespace {

constexpr Gloss<std::int64_t> statuses[] = {
    {4, "was refused local memory (completion status 4, local protection error)"},
    {8, "was refused local memory (completion status 8, local access error)"},
    {9, "had a request rejected by the other NIC (completion status 9, remote invalid request)"},
    {10, "was refused memory of the other host (completion status 10, remote access error)"},
    {11, "had a request that the other NIC could not complete (completion status 11, remote operation error)"},
};

std::string what(const Incident& incident) {
  if (incident.kind == IncidentKind::ofi_request_failed)
    return concat("was refused memory over EFA (", excerpt(incident.error, 100), ")");
  if (incident.kind == IncidentKind::call_failed)
    return concat("could not register memory with a NIC (", excerpt(incident.event.as<CallFailed>().call, 40),
                  when(!incident.error.empty(), ": ", excerpt(incident.error, 80)), ")");
  return std::string(gloss_of(statuses, incident.event.as<IbCompletionFailed>().status));
}

}  // namespace

RuleResult check(const Model& model) { return {rdma_findings(model, RdmaFault::memory, what)}; }

}  // namespace nccl_analyze::nca306
