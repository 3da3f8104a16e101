// NCA503 reports processes whose CPU mask excludes all CPUs near their GPU: NCCL's work then crosses CPU sockets.

#include "nccl_analyze/events/topology.h"
#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca503 {

namespace {

std::string cpus_text(std::string_view cpus) { return cpus.empty() ? std::string("none") : excerpt(cpus, 60); }

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{incident_findings(model, {IncidentKind::cpu_affinity_empty}, [](const Incident& incident) {
    const auto& event = incident.event.as<AffinityChosen>();
    const std::string gpu = event.gpu < 0 ? std::string("the GPU") : concat("GPU ", event.gpu);
    // If a container hides /sys, NCCL does not find the CPUs near the GPU, and no better choice is known.
    if (event.gpu_cpus.empty()) return std::string();
    return concat("The CPUs near ", gpu, " are ", cpus_text(event.gpu_cpus), ", but its process may only run on ",
                  cpus_text(event.process_cpus));
  })};
  for (Finding& finding : result.findings)
    if (!finding.ranks.empty()) finding.message += concat(" (", ranks_text(finding.ranks), ")");
  return result;
}

}  // namespace nccl_analyze::nca503
