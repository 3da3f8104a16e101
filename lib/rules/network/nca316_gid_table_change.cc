// NCA316 reports a GID table that changed while the job ran: connections that use an old GID may fail.

#include <algorithm>

#include "nccl_analyze/rule.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"

namespace nccl_analyze::nca316 {

namespace {

std::string what(const Incident&) { return "saw the address table (GIDs) of a NIC's port change"; }

bool connections_failed(const Model& model) {
  return std::ranges::any_of(model.incidents, [](const Incident& incident) {
    const RdmaFault fault = rdma_fault(incident);
    return fault == RdmaFault::timeout || fault == RdmaFault::connect;
  });
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{rdma_findings(model, RdmaFault::gid_change, what)};
  const bool failed = !result.findings.empty() && connections_failed(model);
  for (Finding& finding : result.findings) {
    if (!failed) continue;
    finding.own_severity = Severity::warning;
    finding.values.push_back({"connections", "failed"});
    finding.message += "; connections between NICs failed in the same job";
  }
  return result;
}

}  // namespace nccl_analyze::nca316
