// NCA308 reports NICs whose RDMA connection could not be set up although the bootstrap over TCP worked.

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "queries/site.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "rules/words/table.h"
#include "text/message_text.h"

namespace nccl_analyze::nca308 {

namespace {

std::string what(const Incident& incident) {
  if (incident.kind == IncidentKind::ib_devices_incompatible)
    return "could not connect two NICs: one is InfiniBand, the other RoCE";
  const std::string_view call = incident.event.as<CallFailed>().call;
  const std::string_view step = call == "ibv_modify_qp"   ? "connect a queue pair to another NIC"
                                : call == "ibv_query_gid" ? "read the GID of a NIC's port"
                                                          : "create a queue of a NIC";
  const std::string_view reading = table_text("NCA308", std::to_string(incident.error_number));
  return concat("could not ", step, " (", excerpt(call, 40),
                when(!incident.error.empty(), ": ", excerpt(incident.error, 80)), ")",
                when(!reading.empty(), ": ", reading));
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{rdma_findings(model, RdmaFault::connect, what)};
  for (Finding& finding : result.findings) {
    finding.message += gid_index_text(model, finding.processes);
    add_gid_reading(model, finding);
  }
  return result;
}

}  // namespace nccl_analyze::nca308
