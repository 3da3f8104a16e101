// NCA601 reports CUDA calls that failed, as printed by NCCL or raised by PyTorch.

#include <algorithm>

#include "nccl_analyze/events/external.h"
#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "rules/support/external_failures.h"
#include "rules/support/failure.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca601 {

namespace {

std::string message_of(const Incident& incident) {
  // At levels that do not warn, NCCL prints failures that it tolerates. Exceptions of PyTorch get their message from
  // raised_text().
  if (!warns(incident.level) || incident.kind == IncidentKind::program_raised) return {};
  return concat("CUDA failed: ", excerpt(incident.error.empty() ? incident.message : incident.error, 100),
                driver_code_text(incident));
}

/// Returns the message for an exception of PyTorch; empty for other incidents. The exception may be the only sign of a
/// failed CUDA call.
std::string raised_text(const Incident& incident) {
  if (incident.kind != IncidentKind::program_raised || incident.survived) return {};
  if (incident.event.as<ProgramRaised>().exception == "by GPU")
    return concat("ROCm's runtime ended a process: ", excerpt(incident.message, 100));
  std::string_view words = incident.error;
  for (const std::string_view head : {"CUDA error: ", "cudaGetDeviceCount(). ", "have already set an error? "})
    if (const std::size_t at = words.find(head); at != std::string_view::npos) words.remove_prefix(at + head.size());
  return concat("CUDA failed: ", excerpt(words, 100));
}

/// Whether the finding is only that NCCL found no libcuda.so, and its processes set up a communicator nevertheless. Old
/// releases continue without the driver's own functions.
bool is_only_missed(const Model& model, const Finding& finding) {
  return !any_incident(model, finding, [&](const Incident& incident) {
    const Process* const process = process_of(model, incident.process);
    return !contains(incident.message, "Failed to find CUDA library") || process == nullptr ||
           (process->progress.line == 0 && !process->setup_seen);
  });
}

/// Adds failed allocations of the finding's processes that hide the CUDA error to its incidents, but not to its
/// evidence.
void add_allocations(const Model& model, Finding& finding) {
  for (const Incident& incident : model.incidents)
    if (hides_cuda_error(incident) && std::ranges::binary_search(finding.processes, incident.process))
      finding.incidents.push_back(index_of(model, incident));
}

/// Adds what NVML, or PyTorch of the driver, says to a finding that a process sees no GPU: both have one reason.
void add_nvml(const Model& model, Finding& finding) {
  constexpr std::int64_t no_device = 100;
  const auto sees_no_gpu = [](const Incident& incident) {
    return incident.cuda_error == no_device || contains(incident.message, "No CUDA GPUs") ||
           contains(incident.message, "Found no NVIDIA driver");
  };
  if (!any_incident(model, finding, sees_no_gpu)) return;
  for (const Incident& incident : model.incidents) {
    const std::string_view phrase = incident.kind == IncidentKind::phrase_seen
                                        ? std::string_view(incident.event.as<PhraseSeen>().phrase)
                                        : std::string_view{};
    constexpr std::pair<std::string_view, std::string_view> reasons[] = {
        {"Driver/library version mismatch", "mismatch"},
        {"initialize NVML: Unknown Error", "lost"},
        {"NVIDIA driver on your system is too old", "old"}};
    const auto* const reason =
        std::ranges::find(reasons, phrase, &std::pair<std::string_view, std::string_view>::first);
    if (reason == std::end(reasons)) continue;
    finding.evidence.add(incident.evidence);
    finding.incidents.push_back(index_of(model, incident));
    finding.values.emplace_back("nvml", std::string(reason->second));
    return;
  }
}

/// Adds the library that shares memory between GPUs without NCCL, if the exception comes from one: the same words of
/// CUDA have other reasons there. A fault of a kernel may come from anywhere.
void add_sharer(const Model& model, Finding& finding) {
  struct Sharer {
    std::string_view words, name;
  };
  constexpr Sharer sharers[] = {{"symm_mem", "symmetric"},
                                {"_SymmetricMemory", "symmetric"},
                                {"<cudaError_t.", "ipc"},
                                {"CUDART error", "ipc"},
                                {"/deep_ep.cpp", "deepep"}};
  constexpr int first_fault = 700;
  if (any_incident(model, finding, [](const Incident& one) {
        return one.kind != IncidentKind::program_raised || one.cuda_error >= first_fault;
      }))
    return;
  for (const LineRef at : finding.evidence.lines)
    for (const Sharer& sharer : sharers)
      if (contains(model.quote(at), sharer.words)) {
        finding.values.emplace_back("shares", std::string(sharer.name));
        return;
      }
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{topic_findings(model, "cuda-error", message_of)};
  for (Finding& finding : result.findings)
    if (is_only_missed(model, finding)) {
      finding.own_severity = Severity::info;
      finding.values.emplace_back("library", "missed");
    }
  if (result.findings.empty()) result.findings = topic_findings(model, "cuda-error", raised_text);
  for (Finding& finding : result.findings) {
    name_ranks(finding);
    add_sharer(model, finding);
    add_allocations(model, finding);
    add_nvml(model, finding);
  }
  return result;
}

}  // namespace nccl_analyze::nca601
