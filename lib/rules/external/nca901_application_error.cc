// NCA901 reports failures outside NCCL: exceptions, killed processes, cancelled jobs and GPU faults (Xid).

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "nccl_analyze/events/external.h"
#include "nccl_analyze/rule.h"
#include "rules/external/exception_values.h"
#include "rules/external/host_failures.h"
#include "rules/findings.h"
#include "rules/support/external_failures.h"
#include "rules/support/pod_failures.h"
#include "text/lower_case.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca901 {

namespace {

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

/// What a line means that names neither an exit code nor a signal.
struct UnnumberedEnd {
  std::string_view why, text, before_name;
};
constexpr UnnumberedEnd unnumbered_ends[] = {
    {"died unexpectedly", "A process of the server ended unexpectedly", ": "},
    {"Received sigquit", "The server ended because a process of it had failed", ": "},
    {"aborted", "The launcher says that a process was aborted", ": "},
    {"Lost executor", "Spark lost an executor", ": "},
    {"", "A process ended with an exit code other than 0", ", says "}};
constexpr std::size_t title_words = 80;  // characters of an exception's message that a title quotes
constexpr std::string_view aborted = "A rank called MPI_Abort";

const UnnumberedEnd& unnumbered_end(const Incident& incident) {
  const std::string_view why = incident.event.as<ProcessEnded>().why;
  return *std::ranges::find_if(unnumbered_ends,
                               [why](const UnnumberedEnd& end) { return end.why.empty() || end.why == why; });
}

std::string ended_text(const Incident& incident) {
  const std::string who =
      incident.error.empty() ? std::string("A process") : concat("A process (", excerpt(incident.error, 80), ")");
  if (incident.kind == IncidentKind::memory_killed)
    return concat(who, " was killed because the host's memory, or the container's limit, was used up");
  if (contains(incident.message, "The node was low on resource"))
    return concat("A pod was evicted: the node was low on ", excerpt(incident.event.as<ProcessEnded>().detail, 120));
  const int status = exit_status(incident);
  if (status < 0) return concat(who, " was ended by a signal", signal_text(-status));
  if (status > 0) return concat(who, " ended with exit code ", status);
  if (calls_abort(incident)) return std::string(aborted);
  if (ends_with_unknown_exit_code(incident))
    return concat(unnumbered_end(incident).text,
                  when(!incident.error.empty(), unnumbered_end(incident).before_name, excerpt(incident.error, 80)));
  return concat(who, " ended: ", excerpt(incident.event.as<ProcessEnded>().why, 60));
}

/// The jobs that Slurm ended, with the reasons. The end of a job ends its steps (`77.0`), whose lines then count as the
/// job's.
class CancelledJobs {
 public:
  explicit CancelledJobs(const Model& model) {
    for (const Incident& incident : model.incidents)
      if (incident.kind == IncidentKind::job_cancelled) jobs_.emplace(number_of(incident), incident.error);
  }

  /// Whether only a step of the job was ended, which a program of the job had started.
  bool is_step(const Incident& incident) const {
    const std::string_view number = number_of(incident);
    return job_of(number) != number && !jobs_.contains({std::string(job_of(number)), incident.error});
  }
  /// `job 77 due to time limit`, `step 77.0`.
  std::string text(const Incident& incident) const {
    const std::string_view number = number_of(incident);
    const std::string what = number.empty()      ? "the job"
                             : is_step(incident) ? concat("step ", excerpt(number, 40))
                                                 : concat("job ", excerpt(job_of(number), 40));
    return what + reason(incident);
  }
  /// ` due to time limit`, ` at the limit of its walltime`; empty if the scheduler gives no reason.
  static std::string reason(const Incident& incident) {
    if (incident.error.empty()) return {};
    const std::string why = lower_case(excerpt(incident.error, 60));
    if (!number_of(incident).empty()) return concat(" ", why);
    return why.ends_with("limit") ? concat(" at its ", why) : concat(" at the limit of its ", why);
  }

 private:
  static std::string_view number_of(const Incident& incident) { return incident.event.as<JobCancelled>().job; }
  static std::string_view job_of(std::string_view number) { return number.substr(0, number.find('.')); }

  std::set<std::pair<std::string, std::string>> jobs_;
};

/// Returns a short description of the failure for the headline; empty for the end of a process without further details.
std::string title_of(const CancelledJobs& jobs, const Incident& incident) {
  switch (incident.kind) {
    case IncidentKind::program_raised:
      if (const int status = exit_status(incident); status < 0)
        return concat("A process of the program was ended by a signal", signal_text(-status));
      return concat(raised_text(incident.event.as<ProgramRaised>().exception),
                    when(!incident.error.empty(), ": ", excerpt(incident.error, title_words)));
    case IncidentKind::memory_killed:
      return "A process was killed because memory was used up";
    case IncidentKind::job_cancelled:
      return concat("The scheduler ended ", jobs.is_step(incident) ? "a step of the job" : "the job",
                    CancelledJobs::reason(incident));
    case IncidentKind::gpu_faulted:
      return concat("The driver reports Xid ", incident.event.as<GpuFaulted>().xid, " of a GPU");
    default:
      break;
  }
  const int status = exit_status(incident);
  if (status < 0) return concat("A process was ended by a signal", signal_text(-status));
  if (ends_with_unknown_exit_code(incident)) return std::string(unnumbered_end(incident).text);
  if (calls_abort(incident)) return std::string(aborted);
  return when(status > 0, "A process ended with exit code ", status);
}

/// Returns the finding's message for an incident; empty if another rule reports the incident, or if it is no failure.
std::string message_of(const CancelledJobs& jobs, const Incident& incident) {
  switch (incident.kind) {
    case IncidentKind::program_raised:
      if (incident.topic != "application-error") return {};  // NCA601 and NCA602 report other topics.
      return concat(raised_text(incident.event.as<ProgramRaised>().exception),
                    when(!incident.error.empty(), ": ", excerpt(incident.error)));
    case IncidentKind::process_ended:
    case IncidentKind::memory_killed:
      return ended_text(incident);
    case IncidentKind::job_cancelled:
      return concat("The scheduler ended ", jobs.text(incident));
    case IncidentKind::gpu_faulted:
      return concat("The driver reports Xid ", incident.event.as<GpuFaulted>().xid, " of GPU ",
                    excerpt(incident.event.as<GpuFaulted>().bus_id, 30), ": ", excerpt(incident.error, 120));
    default:
      return {};
  }
}

/// Whether the input shows steps of training or results of a benchmark.
bool has_worked(const Model& model) {
  return std::ranges::any_of(model.sources, [](const Source& source) { return source.stats.trained_at > 0; }) ||
         std::ranges::any_of(model.benchmarks,
                             [](const Benchmark& benchmark) { return !benchmark.measurements.empty(); });
}

struct Failure : ProcessGroup {
  Stage stage = Stage::symptom;
  std::string title;
  int status = 0;  ///< See exit_status().
  bool mild = true, survived = true;
  bool breaks_gpus = false;
  std::string_view of_host;  ///< See host_failure_of().
  std::vector<int> ranks;
};

/// Builds the finding. Moves the contents of `failure` into it. `key`: the message, or the group of a failed host.
Finding finding_about(const Model& model, const std::string& key, Failure& failure) {
  HostFailure of_host;
  if (!failure.of_host.empty()) of_host = describe_host_failure(model, failure.incidents);
  const std::string message = failure.of_host.empty() ? key : of_host.message;
  if (!failure.of_host.empty()) failure.title = std::move(of_host.title);
  // The line says nothing about the process that its neighbours are from.
  if (of_host.is_nobodys) failure.processes.clear();
  Finding finding = finding_of(model, message, ProcessGroup(failure));
  if (!failure.ranks.empty()) finding.ranks = std::move(failure.ranks);
  std::ranges::sort(finding.ranks);
  finding.own_stage = failure.stage;
  // The message of the finding holds only an excerpt of the error.
  finding.values = values_of_exception(model.incidents[finding.incidents.front()].error);
  finding.values.emplace_back("status", std::to_string(failure.status));
  if (!failure.title.empty()) finding.values.emplace_back("title", std::move(failure.title));
  std::ranges::move(of_host.values, std::back_inserter(finding.values));
  if (is_time_limit(model.incidents[finding.incidents.front()])) finding.values.emplace_back("limit", "time");
  if (tells_of_killed_child(model.incidents[finding.incidents.front()]))
    finding.values.emplace_back("tells", "signal");
  else if (tells_of_child(model.incidents[finding.incidents.front()]))
    finding.values.emplace_back("tells", "child");
  const bool is_stopped = is_stopped_by_hand(model.incidents[finding.incidents.front()]);
  const bool was_working = is_stopped && has_worked(model);
  if (is_stopped) finding.values.emplace_back("stopped", was_working ? "working" : "early");
  if (failure.breaks_gpus) finding.values.emplace_back("breaks", "gpus");
  const bool is_pointer = points_elsewhere(message) && reports_own_failure(model);
  if (is_pointer) finding.values.emplace_back("points", "elsewhere");
  if (failure.mild || is_pointer || is_stopped) finding.own_severity = Severity::warning;
  if (was_working) finding.own_severity = Severity::info;
  if (!failure.survived) return finding;
  finding.survived = true;
  finding.own_severity = Severity::info;
  finding.message += "; the job went on";
  return finding;
}

/// Drops the exception that torchrun raises when a worker has ended, if the end has a finding.
void drop_child_failure(std::map<std::string, Failure>& failures) {
  constexpr std::string_view raised = "torch.distributed.elastic.multiprocessing.errors.ChildFailedError";
  const auto child =
      std::ranges::find_if(failures, [&](const auto& entry) { return entry.first.starts_with(raised_text(raised)); });
  const auto ended = std::ranges::find_if(failures, [](const auto& entry) { return entry.second.status != 0; });
  if (child != failures.end() && ended != failures.end()) failures.erase(child);
}

}  // namespace

RuleResult check(const Model& model) {
  const CancelledJobs jobs(model);
  std::map<std::string, Failure> failures;
  for (const Incident& incident : model.incidents) {
    const std::string_view of_host = host_failure_of(model, incident);
    const std::string message = is_of_pod(incident) ? std::string()
                                : of_host.empty()   ? message_of(jobs, incident)
                                                    : std::string(of_host);
    if (message.empty()) continue;
    const std::optional<Stage> stage = stage_of_end(model, incident);
    if (!stage) continue;
    Failure& failure = failures[message];
    failure.of_host = of_host;
    failure.breaks_gpus = failure.breaks_gpus || breaks_gpus(incident);
    failure.stage = std::min(failure.stage, points_elsewhere(message) ? Stage::symptom : *stage);
    if (failure.title.empty()) failure.title = title_of(jobs, incident);
    failure.status = exit_status(incident);
    failure.mild = failure.mild && is_mild_fault(model, incident);
    failure.survived = failure.survived && incident.survived;
    if (incident.rank >= 0) failure.ranks.push_back(incident.rank);
    failure.add(model, incident);
  }
  drop_child_failure(failures);
  RuleResult result{pod_findings(model)};
  for (auto& [message, failure] : failures) result.findings.push_back(finding_about(model, message, failure));
  return result;
}

}  // namespace nccl_analyze::nca901
