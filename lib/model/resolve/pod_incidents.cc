// Finds the processes of incidents about pods. A list of events or pods may contain a whole namespace, so an incident
// counts only if its pod belongs to this job.

#include "model/resolve/pod_incidents.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "nccl_analyze/events/external.h"

namespace nccl_analyze::builder {

namespace {

/// Removes the last part of the name, after a dash, if a controller may have appended it. Returns whether it was
/// removed.
template <class IsAppended>
bool remove_part(std::string_view& name, IsAppended is_appended) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || dash == 0 || !is_appended(name.substr(dash + 1))) return false;
  name = name.substr(0, dash);
  return true;
}

/// Whether Kubernetes could have generated this part of a name: five characters out of `letters` (apimachinery,
/// pkg/util/rand).
bool is_generated(std::string_view part) {
  constexpr std::string_view letters = "bcdfghjklmnpqrstvwxz2456789";
  constexpr std::size_t size = 5;
  return part.size() == size && part.find_first_not_of(letters) == std::string_view::npos;
}

bool is_index(std::string_view part) {
  return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_role(std::string_view part) {
  constexpr std::array<std::string_view, 7> roles{"master", "worker", "launcher", "leader",
                                                  "server", "chief",  "workers"};
  return std::ranges::find(roles, part) != roles.end();
}

/// Returns the prefix that the names of all pods of a job share: `llama` for `llama-worker-6`, `llama-6-x7k2p` and
/// `llama-launcher-x7k2p`.
std::string_view job_of(std::string_view pod) {
  pod = pod.substr(0, pod.find('.'));
  remove_part(pod, is_generated);
  while (remove_part(pod, is_index)) {
  }
  remove_part(pod, is_role);
  return pod;
}

std::string_view pod_of(const Process& process) {
  return process.pod.empty() ? process.host.view() : process.pod.view();
}

/// Whether the input lacks the logs of ranks or shows no communicator at all.
bool lacks_ranks(const Model& model) {
  return model.communicators.empty() || std::ranges::any_of(model.communicators, [](const Communicator& comm) {
           return !comm.inferred && static_cast<int>(comm.ranks.size()) < comm.nranks;
         });
}

}  // namespace

void join_pod_incidents(Model& model) {
  std::set<std::string_view> jobs;
  for (const Process& process : model.processes) jobs.insert(job_of(pod_of(process)));
  const bool lacks = lacks_ranks(model);
  for (Incident& incident : model.incidents) {
    if (!incident.aspect.ends_with("pod")) continue;
    const std::string_view pod = incident.event.as<ProcessEnded>().host;
    std::vector<Index> processes;
    bool ended_in_order = true;
    for (Index index = 0; index < static_cast<Index>(model.processes.size()); ++index) {
      const Process& process = model.processes[index];
      if (pod_of(process) != pod) continue;
      processes.push_back(index);
      ended_in_order = ended_in_order && process.ended_in_order;
    }
    incident.process = processes.size() == 1 ? processes.front() : -1;
    if (processes.empty())
      incident.survived = !lacks || !jobs.contains(job_of(pod));
    else
      incident.survived = ended_in_order || incident.aspect == "unstarted-pod";
  }
}

}  // namespace nccl_analyze::builder
