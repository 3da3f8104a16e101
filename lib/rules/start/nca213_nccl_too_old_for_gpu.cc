// NCA213 reports GPUs that are too new for the loaded NCCL, which has no kernels or wrong buffer sizes for them.

#include <algorithm>

#include "nccl_analyze/events/fault.h"
#include "nccl_analyze/rule.h"
#include "queries/gpu_products.h"
#include "rules/findings.h"
#include "rules/topics.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca213 {

namespace {

std::string message_of(const Incident& incident) {
  if (incident.kind != IncidentKind::gpu_unsupported)
    return when(warns(incident.level), "NCCL has no kernels for this GPU: ",
                excerpt(incident.error.empty() ? incident.message : incident.error, 100));
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
  for (const Process* process : known_processes(model, processes)) add_version(*process, versions);
  if (versions.empty())
    for (const Process& process : model.processes) add_version(process, versions);
  return when(!versions.empty(), " (", list_text(versions), ")");
}

/// Whether missing code for the GPU may explain the incident, which is a fatal CUDA error of NCCL or of the program.
bool is_cuda_failure(const Incident& incident) {
  if (incident.survived || !warns(incident.level)) return false;
  if (incident.kind == IncidentKind::cuda_failed) return topic_of(incident).rule == "cuda-error";
  if (incident.kind == IncidentKind::nccl_error_raised) return contains(incident.message, "unhandled cuda error");
  return incident.kind == IncidentKind::program_raised && incident.topic == "cuda-error";
}

/// Returns the GPU as the message names it: `NVIDIA B200 (sm_100)`, or `this GPU`.
std::string gpu_text(const UnsupportedGpu& unsupported) {
  return concat(unsupported.gpu.empty() ? "this GPU" : excerpt(unsupported.gpu, 60),
                when(!unsupported.architecture.empty(), " (sm_", unsupported.architecture, ")"));
}

/// Adds PyTorch's warnings that it has no code for a GPU to the first finding. If there is no finding but a CUDA call
/// failed, adds a finding for these warnings.
void add_warnings_of_torch(const Model& model, std::vector<Finding>& findings) {
  const auto first = std::ranges::find_if(model.incidents, is_unsupported_gpu);
  if (first == model.incidents.end()) return;
  if (findings.empty() && std::ranges::none_of(model.incidents, is_cuda_failure)) return;
  const std::string text = concat("PyTorch says that it was not built for ", gpu_text(unsupported_gpu(*first)));
  const bool is_alone = findings.empty();
  if (is_alone) findings.push_back(claimed(model, is_unsupported_gpu));
  Finding& finding = findings.front();
  if (!is_alone) claim_all(model, is_unsupported_gpu, finding);
  finding.message = is_alone ? text + ", and a call of CUDA failed" : concat(finding.message, "; ", text);
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{topic_findings(model, "nccl-too-old-for-gpu", message_of)};
  add_warnings_of_torch(model, result.findings);
  for (Finding& finding : result.findings) finding.message += versions_text(model, finding.processes);
  return result;
}

}  // namespace nccl_analyze::nca213
