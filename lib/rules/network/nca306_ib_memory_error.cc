// NCA306 reports NICs that were refused access to memory, or could not register it: mostly a fault of GPUDirect RDMA.

#include <array>

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "queries/platform.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca306 {

namespace {

struct Status {
  std::int64_t code;
  std::string_view reading;
};

constexpr std::array<Status, 5> statuses = {{
    {4, "was refused local memory (completion status 4, local protection error)"},
    {8, "was refused local memory (completion status 8, local access error)"},
    {9, "had a request rejected by the other NIC (completion status 9, remote invalid request)"},
    {10, "was refused memory of the other host (completion status 10, remote access error)"},
    {11, "had a request that the other NIC could not complete (completion status 11, remote operation error)"},
}};

std::string what(const Incident& incident) {
  if (incident.kind == IncidentKind::ofi_request_failed)
    return concat("was refused memory over EFA (", excerpt(incident.error, 100), ")");
  if (incident.kind == IncidentKind::call_failed)
    return concat("could not register memory with a NIC (", excerpt(incident.event.as<CallFailed>().call, 40),
                  incident.error.empty() ? std::string() : concat(": ", excerpt(incident.error, 80)), ")");
  for (const Status& status : statuses)
    if (status.code == incident.event.as<IbCompletionFailed>().status) return std::string(status.reading);
  return {};
}

}  // namespace

RuleResult check(const Model& model) { return {rdma_findings(model, RdmaFault::memory, what)}; }

}  // namespace nccl_analyze::nca306
