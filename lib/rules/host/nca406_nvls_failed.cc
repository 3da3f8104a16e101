// NCA406 reports that NVLink SHARP (NVLS) could not be set up, and whether the communicator failed because of it.

#include <utility>

#include "nccl_analyze/events/transport.h"
#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "rules/topics.h"
#include "text/message_text.h"

namespace nccl_analyze::nca406 {

namespace {

std::string what_failed(const Incident& incident) {
  const int code = incident.event.as<NvlsFailed>().code;
  return concat("NVLink SHARP (NVLS) memory could not be bound", when(code >= 0, " (CUDA error ", code, ")"));
}

bool is_of_nvls(const Incident& incident) { return warns(incident.level) && is_about(incident, "nvls-failed"); }

std::string fatal_message(const Incident& incident) {
  return !is_of_nvls(incident) ? std::string() : what_failed(incident) + "; the communicator fails";
}

std::string mild_message(const Incident& incident) {
  return !warns(incident.level) ? what_failed(incident) + "; NCCL goes on without NVLS" : std::string();
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{incident_findings(model, {IncidentKind::nvls_failed}, fatal_message)};
  for (Finding& finding : incident_findings(model, {IncidentKind::nvls_failed}, mild_message)) {
    finding.own_severity = Severity::warning;
    result.findings.push_back(std::move(finding));
  }
  for (Finding& finding : result.findings) name_ranks(finding);
  return result;
}

}  // namespace nccl_analyze::nca406
