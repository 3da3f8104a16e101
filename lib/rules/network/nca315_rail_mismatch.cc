// NCA315 reports connections between NICs of different rails or subnets, which are slower or impossible.

#include <algorithm>

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "rules/findings.h"
#include "rules/support/rdma_fault.h"
#include "text/message_text.h"

namespace nccl_analyze::nca315 {

namespace {

std::string ends_text(const Incident& incident) {
  if (incident.kind == IncidentKind::ib_router_lid_missing)
    return "Two NICs are in different InfiniBand subnets, and the router's address (FLID) of the other is not set";
  const auto& event = incident.event.as<IbRailsMismatched>();
  const std::string ends = concat(excerpt(event.local, 60), " here, ", excerpt(event.remote, 60), " there");
  return incident.aspect == "port-counts" ? concat("Two connected NICs fuse different numbers of ports: ", ends)
                                          : concat("Two connected NICs have no port in common: devices ", ends);
}

bool is_failed_connection(const Incident& incident) {
  const RdmaFault fault = rdma_fault(incident);
  return fault == RdmaFault::timeout || fault == RdmaFault::connect;
}

bool connections_failed(const Model& model) { return std::ranges::any_of(model.incidents, is_failed_connection); }

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{
      incident_findings(model, {IncidentKind::ib_rails_mismatched, IncidentKind::ib_router_lid_missing}, ends_text)};
  const bool failed = !result.findings.empty() && connections_failed(model);
  for (Finding& finding : result.findings) {
    if (!failed) continue;
    finding.own_severity = Severity::error;
    for (const Incident& incident : model.incidents)
      if (is_failed_connection(incident) && !incident.evidence.lines.empty() &&
          finding.evidence.lines.size() < Evidence::max_lines)
        add_line(finding.evidence, incident.evidence.lines.front());
    finding.values.push_back({"connections", "failed"});
    finding.message += "; connections between NICs failed in the same job";
  }
  return result;
}

}  // namespace nccl_analyze::nca315
