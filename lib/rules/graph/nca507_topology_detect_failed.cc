// NCA507 reports machines whose topology NCCL could not detect, and whether NCCL continued with a guess.

#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca507 {

namespace {

/// Whether NVML lists no GPU at a bus id that NCCL asked for: up to 2.21 that of any rank of the host, later that of
/// the process's own GPU.
bool is_hidden_gpu(const Incident& incident) {
  return contains(incident.message, "nvmlDeviceGetHandleByPciBusId() failed: Not Found");
}

std::string message_of(const Incident& incident) {
  if (is_hidden_gpu(incident))
    return concat("NVML lists no GPU in this process at the bus id that NCCL asks for: ", excerpt(incident.message));
  if (contains(incident.message, "libnvidia-ml")) return concat("NCCL cannot load NVML: ", excerpt(incident.message));
  if (incident.aspect == "nvlink") return "NVML does not know the GPU, so NCCL does not look for NVLink";
  if (!warns(incident.level)) return {};
  return concat(incident.aspect == "nic" ? "NCCL cannot find the place of a network card: "
                                         : "NCCL cannot read the machine's topology: ",
                excerpt(incident.message, 160));
}

/// Whether a link is there one way only. All releases give up behind this warning, also where the lines that pass the
/// error up are not in the input, as in an exception that quotes the warning.
bool is_contradiction(const Incident& incident) {
  return contains(incident.message, "Failed to find reverse path") ||
         contains(incident.message, "Could not find rev link");
}

/// Whether the failure ended initialisation. NCCL 2.10 and later continue with a guess in most cases, such as that a
/// network card whose place is not found is near the first CPU.
bool stops(const Incident& incident) {
  const bool failed = incident.failed || (!incident.survived && is_contradiction(incident));
  return failed && incident.aspect != "nic" && incident.aspect != "nvlink";
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{topic_findings(model, "topology-detect-failed", message_of)};
  for (Finding& finding : result.findings) {
    finding.survived = !any_incident(model, finding, stops);
    if (finding.survived) finding.own_severity = Severity::warning;
    name_ranks(finding);
  }
  return result;
}

}  // namespace nccl_analyze::nca507
