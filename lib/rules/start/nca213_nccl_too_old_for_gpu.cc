// NCA213 reports GPUs that are too new for the loaded NCCL, which has no kernels or wrong buffer sizes for them.

#include <utility>

#include "nccl_analyze/events/fault.h"
#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/ranks.h"
#include "rules/support/search.h"

namespace nccl_analyze::nca213 {

namespace {

std::string message_of(const Incident& incident) {
  if (incident.kind != IncidentKind::gpu_unsupported && warns(incident.level))
    return concat("NCCL has no kernels for this GPU: ",
                  excerpt(incident.error.empty() ? incident.message : incident.error, 100));
  if (incident.kind != IncidentKind::gpu_unsupported) return {};
  const auto& event = incident.event.as<KernelMemoryExceeded>();
  const int capability = event.compute_capability;
  const std::string gpu = capability > 0
                              ? concat("GPUs of compute capability ", capability / 100, ".", capability % 100 / 10)
                              : std::string("this GPU");
  return concat(
      "NCCL's kernels want ", event.needed, " bytes of shared memory, ", gpu, " can give ", event.available,
      !warns(incident.level) ? ": NCCL goes on, and its kernels fail when they are launched" : ": NCCL stops");
}

void add_version(const Process& process, std::vector<std::string>& versions) {
  if (!process.version.empty()) add_once(versions, concat(process.library, " ", excerpt(process.version, 40)));
}

/// Lists the NCCL versions of these processes, or of all processes if these print none: by default only one process of
/// a host prints its version.
std::string versions_text(const Model& model, const std::vector<Index>& processes) {
  std::vector<std::string> versions;
  for (const Index index : processes)
    if (const Process* process = process_of(model, index)) add_version(*process, versions);
  if (versions.empty())
    for (const Process& process : model.processes) add_version(process, versions);
  return versions.empty() ? std::string() : concat(" (", list_text(versions), ")");
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = topic_findings(model, "nccl-too-old-for-gpu", message_of);
  for (Finding& finding : verdict.findings) finding.message += versions_text(model, finding.processes);
  return verdict;
}

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA213",
                                  .name = "nccl-too-old-for-gpu",
                                  .severity = Severity::error,
                                  .stage = Stage::configuration,
                                  .check = "init",
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca213
