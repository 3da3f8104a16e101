// NCA308 reports NICs whose RDMA connection could not be set up although the bootstrap over TCP worked.

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "queries/site.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca308 {

namespace {

/// What the error number of ibv_modify_qp says of the path to the other NIC.
constexpr std::string_view no_route = ": there is no route from this NIC to the other (GID, VLAN or rail)";
constexpr Gloss<int> readings[] = {
    {110, ": the address of the other NIC does not resolve from here (GID, VLAN, route or rail)"},
    {101, no_route},
    {113, no_route},
    {22, ": the NIC rejects the address or the parameters (GID index without a GID, another link type or MTU)"},
    {19, ": the port or its interface is gone"},
};

std::string what(const Incident& incident) {
  if (incident.kind == IncidentKind::ib_devices_incompatible)
    return "could not connect two NICs: one is InfiniBand, the other RoCE";
  const std::string_view call = incident.event.as<CallFailed>().call;
  const std::string_view step = call == "ibv_modify_qp"   ? "connect a queue pair to another NIC"
                                : call == "ibv_query_gid" ? "read the GID of a NIC's port"
                                                          : "create a queue of a NIC";
  return concat("could not ", step, " (", excerpt(call, 40),
                when(!incident.error.empty(), ": ", excerpt(incident.error, 80)), ")",
                gloss_of(readings, incident.error_number));
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{rdma_findings(model, RdmaFault::connect, what)};
  for (Finding& finding : result.findings) finding.message += gid_index_text(model, finding.processes);
  return result;
}

}  // namespace nccl_analyze::nca308
