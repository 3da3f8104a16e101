// NCA317 reports NICs that ran out of queues, registrations or memory, which all processes of a host share.

#include <utility>

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "rules/findings.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "rules/support/rdma_outcome.h"
#include "text/message_text.h"

namespace nccl_analyze::nca317 {

namespace {

std::string what(const Incident& incident) {
  return concat("got no more queues, registrations or memory of a NIC (",
                excerpt(incident.event.as<CallFailed>().call, 40),
                when(!incident.error.empty(), ": ", excerpt(incident.error, 80)), ")");
}

std::string what_later(const Incident& incident) {
  return concat(what(incident), ", after connections over that network had been made");
}

/// Adds connections as evidence: memory could be locked before, and the limit on locked memory is therefore not the
/// cause.
void add_connections(const Model& model, Finding& finding) {
  for (const Index index : finding.communicators) {
    const Communicator& comm = model.communicators[index];
    for (std::size_t t = 0; t < comm.transports.size() && t < comm.transport_evidence.size(); ++t)
      if (comm.transports[t].starts_with("NET/") && !comm.transport_evidence[t].lines.empty())
        add_line(finding.evidence, comm.transport_evidence[t].lines.front());
  }
  for (const Process* process : known_processes(model, finding.processes))
    add_line(finding.evidence, process->progress);
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{rdma_findings(model, RdmaFault::exhausted, what)};
  for (Finding& finding : rdma_findings(model, RdmaFault::no_memory, what_later))
    if (rdma_worked_before(model, finding.processes)) {
      add_connections(model, finding);
      result.findings.push_back(std::move(finding));
    }
  return result;
}

}  // namespace nccl_analyze::nca317
