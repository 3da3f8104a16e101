// Describes failures of pods, grouped by kind, because one cause often takes down many pods.

#include "rules/support/pod_failures.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "nccl_analyze/events/external.h"
#include "rules/findings.h"
#include "rules/support/external_failures.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

struct PodFailure {
  Stage stage = Stage::symptom;
  std::set<std::string> pods;
  std::string detail;  ///< Detail of the first pod.
  std::vector<const Incident*> incidents;
};

/// Describes the failure without the name of the pod, because pods with equal descriptions share one finding.
std::string what_happened(const Incident& incident) {
  const std::string why = excerpt(incident.event.as<ProcessEnded>().why, 60);
  if (incident.kind == IncidentKind::memory_killed)
    return concat(" killed because memory was used up: the limit of the container, or the memory of the node (", why,
                  ")");
  if (incident.aspect == "unstarted-pod") return concat(" not started: ", why);
  const int status = exit_status(incident);
  constexpr int killed = 9, segfault = 11;
  if (status < 0)
    return concat(" ended by signal ", -status,
                  -status == killed     ? " (killed)"
                  : -status == segfault ? " (segmentation fault)"
                                        : "");
  return status > 0 ? concat(" ended with exit code ", status) : concat(" taken down: ", why);
}

/// Returns the explanation by Kubernetes, if there is no exit code. Else returns the exit code and the time of the end.
std::string detail_of(const Incident& incident) {
  const auto& ended = incident.event.as<ProcessEnded>();
  std::string words = excerpt(ended.detail, 160);
  if (ended.code == 0) return words;
  return concat("exit code ", ended.code, words.empty() ? "" : ", at ", words);
}

std::string pod_text(const PodFailure& failure) {
  const auto& event = failure.incidents.front()->event.as<ProcessEnded>();
  const std::vector<std::string> pods(failure.pods.begin(), failure.pods.end());
  if (pods.size() > 1) return concat(pods.size(), " pods (", list_text(pods), ") were");
  return event.program.empty() ? concat("Pod ", pods.front(), " was")
                               : concat("Pod ", pods.front(), " (container ", excerpt(event.program, 60), ") was");
}

std::vector<Index> processes_of(const Model& model, const std::set<std::string>& pods) {
  std::vector<Index> found;
  for (Index index = 0; index < static_cast<Index>(model.processes.size()); ++index) {
    const Process& process = model.processes[index];
    if (pods.contains(std::string(process.pod.empty() ? process.host.view() : process.pod.view())))
      found.push_back(index);
  }
  return found;
}

Finding finding_of_pods(const Model& model, const std::string& what, const PodFailure& failure) {
  Finding finding;
  for (const Incident* const incident : failure.incidents) claim(model, *incident, finding);
  if (std::vector<Index> processes = processes_of(model, failure.pods); !processes.empty())
    set_scope(model, std::move(processes), finding);
  finding.message = concat(pod_text(failure), what, failure.detail.empty() ? std::string() : ": ", failure.detail);
  const bool lacked_memory = failure.incidents.front()->kind == IncidentKind::memory_killed;
  finding.title = concat(failure.pods.size() > 1 ? "Pods were" : "A pod was",
                         lacked_memory ? " killed because memory was used up" : what);
  finding.own_stage = failure.stage;
  return finding;
}

}  // namespace

bool is_of_pod(const Incident& incident) { return incident.aspect == "pod" || incident.aspect == "unstarted-pod"; }

std::vector<Finding> pod_findings(const Model& model) {
  std::map<std::string, PodFailure> failures;
  for (const Incident& incident : model.incidents) {
    const std::optional<Stage> stage = is_of_pod(incident) ? stage_of_end(model, incident) : std::nullopt;
    if (!stage) continue;
    PodFailure& failure = failures[what_happened(incident)];
    failure.stage = std::min(failure.stage, *stage);
    failure.pods.insert(excerpt(incident.event.as<ProcessEnded>().host, 80));
    if (failure.incidents.empty()) failure.detail = detail_of(incident);
    failure.incidents.push_back(&incident);
  }
  std::vector<Finding> findings;
  for (const auto& [what, failure] : failures) findings.push_back(finding_of_pods(model, what, failure));
  return findings;
}

}  // namespace nccl_analyze
