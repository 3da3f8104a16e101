// NCA901 reports failures outside NCCL: exceptions, killed processes, cancelled jobs and GPU faults (Xid).

#include <algorithm>
#include <map>
#include <utility>

#include "nccl_analyze/events/external.h"
#include "nccl_analyze/rule.h"
#include "rules/support/external_failures.h"
#include "rules/support/failure.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/pod_failures.h"
#include "text/lower_case.h"

namespace nccl_analyze::nca901 {

namespace {

constexpr std::string_view memory_fix = R"(1. **Container limit.** `kubectl get pod POD -o
   jsonpath='{.status.containerStatuses[*].lastState.terminated}'`: `OOMKilled` means that the pod went over
   `resources.limits.memory`. /dev/shm (an `emptyDir` with `medium: Memory`) and page cache of tmpfs count in it. Under
   Slurm: `sacct -j JOB --format=MaxRSS,State`, then `--mem`.
2. **Who grows?** Data loader workers copy the dataset object each (`num_workers` x its size); pinned memory;
   checkpoints that are gathered on one rank; a leak (memory per step rises).
3. **Node.** Without a limit the kernel of the node killed the largest process: `dmesg -T | grep -i 'killed process'`
   shows it with its size; look at what else runs there.)";

constexpr std::string_view xid_fix =
    R"(1. What the number means (NVIDIA's catalogue of Xid errors explains each): 46, 48, 62, 64, 74, 79, 95, 109, 119, 120, 136,
   140, 143, 154, 158, and on Blackwell 144 to 150 and 155 (NVLink): hardware or driver, reset the GPU or drain the node.
   63 and 94: restart the job, reset the GPU at the next chance (`nvidia-smi -q -d ROW_REMAPPER` shows remaps that are
   pending or failed). 13 and 31: the program's own kernels first; the same GPU again and again is hardware. 43 and 45
   follow from another failure: look for it.
2. `dmesg -T | grep -iE 'xid|sxid'` on that node: the first of several lines is the cause. `nvidia-smi -q` shows whether
   the GPU is still there.
3. What ranks on other GPUs report afterwards (closed connections, timeouts) follows from it.)";

std::string signal_text(std::int64_t signal) {
  switch (signal) {
    case 6:
      return " (signal 6, abort)";
    case 7:
      return " (signal 7, bus error: mostly a full /dev/shm)";
    case 9:
      return " (signal 9, killed)";
    case 11:
      return " (signal 11, segmentation fault)";
    default:
      return concat(" (signal ", signal, ")");
  }
}

constexpr std::string_view unnumbered = "A process ended with an exit code other than 0";
constexpr std::string_view aborted = "A rank called MPI_Abort";

std::string ended_text(const Incident& incident) {
  const std::string who =
      incident.error.empty() ? std::string("A process") : concat("A process (", excerpt(incident.error, 80), ")");
  if (incident.kind == IncidentKind::memory_killed)
    return concat(who, " was killed because the host's memory, or the container's limit, was used up");
  const int status = exit_status(incident);
  if (status < 0) return concat(who, " was ended by a signal", signal_text(-status));
  if (status > 0) return concat(who, " ended with exit code ", status);
  if (calls_abort(incident)) return std::string(aborted);
  if (ends_unnumbered(incident))
    return concat(unnumbered, incident.error.empty() ? "" : ", says ", excerpt(incident.error, 80));
  return concat(who, " ended: ", excerpt(incident.event.as<ProcessEnded>().why, 60));
}

/// Returns a short description of the failure for the headline.
std::string title_of(const Incident& incident) {
  switch (incident.kind) {
    case IncidentKind::program_raised:
      return raised_text(incident.event.as<ProgramRaised>().exception);
    case IncidentKind::memory_killed:
      return "A process was killed because memory was used up";
    case IncidentKind::job_cancelled:
      return concat("The scheduler ended the job",
                    incident.error.empty() ? std::string() : concat(" ", lower_case(excerpt(incident.error, 60))));
    case IncidentKind::gpu_faulted:
      return concat("The driver reports Xid ", incident.event.as<GpuFaulted>().xid, " of a GPU");
    default:
      break;
  }
  const int status = exit_status(incident);
  if (status < 0) return concat("A process was ended by a signal", signal_text(-status));
  if (ends_unnumbered(incident)) return std::string(unnumbered);
  if (calls_abort(incident)) return std::string(aborted);
  return status > 0 ? concat("A process ended with exit code ", status) : std::string();
}

/// Returns the finding's message for an incident; empty if another rule reports the incident, or if it is no failure.
std::string message_of(const Incident& incident) {
  switch (incident.kind) {
    case IncidentKind::program_raised:
      if (incident.topic != "application-error") return {};  // NCA601 and NCA602 report other topics.
      return concat(raised_text(incident.event.as<ProgramRaised>().exception),
                    incident.error.empty() ? std::string() : concat(": ", excerpt(incident.error)));
    case IncidentKind::process_ended:
    case IncidentKind::memory_killed:
      return ended_text(incident);
    case IncidentKind::job_cancelled:
      return concat("The scheduler ended job ", excerpt(incident.event.as<JobCancelled>().job, 40),
                    incident.error.empty() ? std::string() : concat(" ", lower_case(excerpt(incident.error, 60))));
    case IncidentKind::gpu_faulted:
      return concat("The driver reports Xid ", incident.event.as<GpuFaulted>().xid, " of GPU ",
                    excerpt(incident.event.as<GpuFaulted>().bus_id, 30), ": ", excerpt(incident.error, 120));
    default:
      return {};
  }
}

/// Whether the incident is an Xid error that ends no job by itself: 63 (a row is marked for remapping) or 94 (a
/// contained ECC error). These errors ask for a reset of the GPU at the next opportunity.
bool is_mild(const Incident& incident) {
  const std::int64_t xid = incident.kind == IncidentKind::gpu_faulted ? incident.event.as<GpuFaulted>().xid : 0;
  return xid == 63 || xid == 94;
}

struct Failure {
  Stage stage = Stage::symptom;
  std::string title;
  bool memory = false, mild = true, survived = true;
  std::vector<int> ranks;
  std::vector<Index> processes, incidents;
  Evidence evidence;
};

/// Builds the finding. Moves the contents of `failure` into it.
Finding finding_about(const Model& model, const std::string& message, Failure& failure) {
  Finding finding;
  if (!failure.processes.empty()) set_scope(model, std::move(failure.processes), finding);
  if (!failure.ranks.empty()) finding.ranks = std::move(failure.ranks);
  std::sort(finding.ranks.begin(), finding.ranks.end());
  finding.message = message;
  finding.title = std::move(failure.title);
  if (failure.memory) finding.fix = memory_fix;
  if (failure.stage == Stage::hardware) finding.fix = xid_fix;
  finding.evidence = std::move(failure.evidence);
  finding.incidents = std::move(failure.incidents);
  finding.own_stage = failure.stage;
  if (failure.mild) finding.own_severity = Severity::warning;
  if (!failure.survived) return finding;
  finding.survived = true;
  finding.own_severity = Severity::info;
  finding.message += "; the job went on";
  return finding;
}

Verdict check(const Model& model) {
  std::map<std::string, Failure> failures;
  for (const Incident& incident : model.incidents) {
    const std::string message = is_of_pod(incident) ? std::string() : message_of(incident);
    if (message.empty()) continue;
    const std::optional<Stage> stage = stage_of_end(model, incident);
    if (!stage) continue;
    Failure& failure = failures[message];
    failure.stage = std::min(failure.stage, *stage);
    if (failure.title.empty()) failure.title = title_of(incident);
    failure.memory = incident.kind == IncidentKind::memory_killed;
    failure.mild = failure.mild && is_mild(incident);
    failure.survived = failure.survived && incident.survived;
    if (incident.rank >= 0) failure.ranks.push_back(incident.rank);
    if (incident.process >= 0) failure.processes.push_back(incident.process);
    failure.evidence.add(incident.evidence);
    failure.incidents.push_back(static_cast<Index>(&incident - model.incidents.data()));
  }
  Verdict verdict;
  verdict.findings = pod_findings(model);
  for (Finding& finding : verdict.findings)
    if (finding.fix.empty()) finding.fix = memory_fix;
  for (auto& [message, failure] : failures) verdict.findings.push_back(finding_about(model, message, failure));
  return verdict;
}

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA901",
                                  .name = "application-error",
                                  .severity = Severity::error,
                                  .stage = Stage::program,
                                  .provisional = true,
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca901
