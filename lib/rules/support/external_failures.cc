// Judges the ends of programs that frameworks, launchers and the kernel report.

#include "rules/support/external_failures.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "nccl_analyze/events/external.h"
#include "rules/support/pod_failures.h"
#include "text/lower_case.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

/// A traceback farther than this many lines from the end of its log counts as fatal only if the log shows other
/// trouble.
constexpr std::uint64_t last_lines = 500;

constexpr int sigabrt = 6, sigkill = 9, sigterm = 15;

/// Exceptions of ProgramRaised that no program catches: checks that call exit(), and messages of std::terminate().
constexpr std::string_view final_exceptions[] = {"CUDA failure", "HIP failure", "Cuda error",         "CUDA error",
                                                 "what()",       "by GPU",      "aborting with error"};
/// A phrase without a number that launchers, shells or the kernel print for the end of a process, and the exit status
/// that it implies (negative for a signal).
struct NamedEnd {
  std::string_view why;
  int status;
};
constexpr NamedEnd named_ends[] = {{"Killed", -9},       {"Segmentation fault", -11},
                                   {"Bus error", -7},    {"Aborted", -6},
                                   {"segfault at", -11}, {"SIGKILL", -9},
                                   {"SIGSEGV", -11},     {"SIGBUS", -7},
                                   {"SIGABRT", -6},      {"SIGTERM", -15}};

struct NamedException {
  std::string_view exception, text;
};
constexpr NamedException named_exceptions[] = {
    {"what()", "The program threw an exception"},
    {"terminated with exception", "PyTorch's watchdog thread ended with an exception"},
    {"SignalException", "A signal ended torchrun"},
    {"death signal", "A signal ended torchrun"},
    {"aborting with error", "The HIP runtime ended a queue of the GPU"},
    {"torch.distributed.elastic.multiprocessing.api.SignalException", "A signal ended torchrun"},
    {"Fatal Python error", "Python ended with a fatal error"},
    {"KeyboardInterrupt", "The program was stopped from the keyboard"},
    {"CUDA failure", "A CUDA call of the program failed"},
    {"HIP failure", "A HIP call of the program failed"},
    {"CUDA error", "A CUDA call of the program failed"},
    {"Cuda error", "A CUDA call of the program failed"},
    {"unrecognized arguments", "The program does not know an argument of its command line"},
    {"the following arguments are required", "The program's command line lacks an argument"},
};

constexpr int highest_signal = 64;

/// Returns the signal whose negated number follows `before`; 0 if there is none, or if it is not one that ends a
/// process which crashes or is killed.
int signal_behind(std::string_view text, std::string_view before) {
  constexpr std::array signals = {4, 6, 7, 8, sigkill, 11, sigterm};
  const std::size_t at = text.find(concat(before, "-"));
  if (at == std::string_view::npos) return 0;
  int signal = 0;
  std::from_chars(text.data() + at + before.size() + 1, text.data() + text.size(), signal);
  return std::ranges::find(signals, signal) != signals.end() ? signal : 0;
}

/// Returns the signal that ended a child process, as the text of an exception tells: SGLang, torch.multiprocessing, and
/// others that print what Python's `exitcode` is. 0 if it tells of none.
int signal_of_child(std::string_view text) {
  for (const std::string_view before : {"exit code: ", "exit code ", "exited with code ", "exitcode: ", "exitcode="})
    if (const int signal = signal_behind(text, before); signal > 0) return signal;
  if (contains(text, "Failed core proc(s): ")) return signal_behind(text, "': ");  // vLLM
  for (const NamedEnd& end : named_ends)
    if (contains(text, concat("terminated with signal ", end.why))) return -end.status;
  return 0;
}

/// Whether the incident is about a pod and did not harm this job.
bool is_of_another_job(const Incident& incident) { return is_of_pod(incident) && incident.survived; }

/// Whether Python's fault handler says that the process aborted itself. What it printed before that is the reason.
bool is_abort(const Incident& incident) {
  return incident.event.as<ProgramRaised>().exception == "Fatal Python error" && incident.error.starts_with("Aborted");
}

/// Whether a helper of the job was given a wrong command line. A program reads its own before it calls NCCL.
bool is_of_helper(const Model& model, const Incident& incident) {
  return one_of(incident.event.as<ProgramRaised>().exception,
                {"unrecognized arguments", "the following arguments are required"}) &&
         std::ranges::any_of(model.sources, [](const Source& source) { return source.stats.nccl_lines > 0; });
}

/// Whether an exception or a watchdog's timeout stands before the incident in the same source. Servers of several
/// processes kill the others, or themselves, when one has failed.
bool follows_failure(const Model& model, const Incident& incident) {
  const LineRef at = incident.evidence.lines.front();
  const auto is_before = [at](const Evidence& evidence) {
    return !evidence.lines.empty() && evidence.lines.front().source == at.source && evidence.lines.front() < at;
  };
  const auto is_exception = [&](const Incident& one) {
    return (one.kind == IncidentKind::program_raised || one.kind == IncidentKind::nccl_error_raised ||
            (one.kind == IncidentKind::phrase_seen && !one.error.empty())) &&
           !one.survived && is_before(one.evidence);
  };
  return std::ranges::any_of(model.incidents, is_exception) ||
         std::ranges::any_of(model.stuck, [&](const WatchdogTimeout& stuck) { return is_before(stuck.evidence); });
}

/// Whether an exception is the only line that tells by which signal a child process ended. Servers end their other
/// processes with SIGKILL when one has failed.
bool is_only_word_of_kill(const Model& model, const Incident& incident) {
  return tells_of_killed_child(incident) && !has_memory_kill(model) && !follows_failure(model, incident);
}

std::optional<Stage> stage_of_exception(const Model& model, const Incident& incident) {
  const LineRef at = incident.evidence.lines.front();
  const auto source = static_cast<std::size_t>(at.source);
  const bool at_end =
      source < model.sources.size() && model.sources[source].stats.log_lines_after(at.line) <= last_lines;
  const bool ends_program =
      incident.uncaught ||
      (incident.kind == IncidentKind::program_raised &&
       std::ranges::find(final_exceptions, incident.event.as<ProgramRaised>().exception) != std::end(final_exceptions));
  if (incident.survived || is_of_helper(model, incident) || (!at_end && !ends_program && !has_trouble(model)))
    return std::nullopt;
  const bool has_reason_elsewhere = incident.echo || is_stopped_by_hand(incident) || is_abort(incident) ||
                                    (tells_of_child(incident) && !is_only_word_of_kill(model, incident));
  return has_reason_elsewhere ? Stage::symptom : Stage::program;
}

/// Whether a shell or the kernel reports that an unnamed program ended, and all processes of the log continued.
bool is_of_other_program(const Incident& incident) {
  return incident.survived && incident.event.as<ProcessEnded>().is_bare();
}

/// Whether the scheduler ended the job or a step in an earlier line of the source. It kills the tasks that are left.
bool follows_end_of_job(const Model& model, const Incident& incident) {
  const LineRef at = incident.evidence.lines.front();
  return std::ranges::any_of(model.incidents, [&](const Incident& one) {
    return one.kind == IncidentKind::job_cancelled && !one.evidence.lines.empty() &&
           one.evidence.lines.front().source == at.source && one.evidence.lines.front() < at;
  });
}

/// Whether all benchmarks of the input had printed their results when the line came.
bool follows_results(const Model& model, const Incident& incident) {
  const LineRef at = incident.evidence.lines.front();
  return !model.benchmarks.empty() && std::ranges::all_of(model.benchmarks, [at](const Benchmark& benchmark) {
    return benchmark.ended && benchmark.ended_at.source == at.source && benchmark.ended_at < at;
  });
}

std::optional<Stage> stage_of_exit(const Model& model, const Incident& incident) {
  const int status = exit_status(incident);
  if (is_of_other_program(incident)) return std::nullopt;
  if (status == -sigkill && has_memory_kill(model)) return Stage::symptom;
  if (status == -sigkill && incident.event.as<ProcessEnded>().is_bare() && follows_failure(model, incident))
    return Stage::symptom;
  if (status == -sigkill && follows_end_of_job(model, incident)) return std::nullopt;
  // Slurm kills the tasks of a step when one has failed; it joins those of a node.
  if (status == -sigkill && contains(incident.message, ": tasks ")) return Stage::symptom;
  if (status == -sigterm) return std::nullopt;  // Launchers end the remaining processes with SIGTERM.
  if (ends_with_unknown_exit_code(incident)) return Stage::symptom;
  if (status > 0 || status == -sigabrt) return Stage::symptom;  // The output of the process has the reason.
  return status < 0 || !incident.event.as<ProcessEnded>().why.empty() ? std::optional(Stage::program) : std::nullopt;
}

}  // namespace

bool tells_of_child(const Incident& incident) {
  const std::string_view exception = incident.event.as<ProgramRaised>().exception;
  // Up to PyTorch 1.5 torch.multiprocessing.spawn raises Exception; the child's traceback follows a blank line.
  if (exception == "Exception") return incident.error.empty();
  if (exit_status(incident) < 0 && incident.kind == IncidentKind::program_raised) return true;
  return one_of(exception, {"subprocess.CalledProcessError", "torch.multiprocessing.spawn.ProcessRaisedException",
                            "torch.multiprocessing.spawn.ProcessExitedException"});
}

bool has_trouble(const Model& model) {
  if (!model.stuck.empty()) return true;
  return std::any_of(model.incidents.begin(), model.incidents.end(), [](const Incident& incident) {
    return incident.kind == IncidentKind::connection_closed || incident.kind == IncidentKind::socket_failed ||
           incident.kind == IncidentKind::process_ended || incident.kind == IncidentKind::memory_killed ||
           incident.kind == IncidentKind::nccl_error_raised;
  });
}

bool has_memory_kill(const Model& model) {
  return std::any_of(model.incidents.begin(), model.incidents.end(), [](const Incident& incident) {
    return incident.kind == IncidentKind::memory_killed && !incident.survived;
  });
}

int exit_status(const Incident& incident) {
  if (incident.kind == IncidentKind::program_raised) return -signal_of_child(incident.error);
  const auto& event = incident.event.as<ProcessEnded>();
  if (event.signal > 0 && event.signal <= highest_signal) return -event.signal;
  // A container runtime adds the number of the signal that ended the program to this code.
  constexpr int signalled = 128;
  const bool is_of_container =
      is_of_pod(incident) || one_of(event.why, {"terminated with exit code", "Exit Code", "status code"});
  if (is_of_container && event.code > signalled && event.code <= signalled + highest_signal)
    return signalled - event.code;
  const auto* const named = std::ranges::find(named_ends, event.why, &NamedEnd::why);
  if (event.code == 0 && named != std::end(named_ends)) return named->status;
  return event.code < -highest_signal ? 1 : event.code;  // Python prints -9 for signal 9.
}

bool ends_with_unknown_exit_code(const Incident& incident) {
  return one_of(incident.event.as<ProcessEnded>().why, {"non-zero status", "Primary job", "died unexpectedly",
                                                        "Received sigquit", "aborted", "Lost executor"});
}

bool tells_of_killed_child(const Incident& incident) {
  return incident.kind == IncidentKind::program_raised && exit_status(incident) < 0 &&
         exit_status(incident) != -sigterm;
}

bool calls_abort(const Incident& incident) {
  const auto& event = incident.event.as<ProcessEnded>();
  return event.why == "MPI_ABORT" || event.why == "MPI_Abort";
}

bool is_stopped_by_hand(const Incident& incident) {
  return incident.event.as<ProgramRaised>().exception == "KeyboardInterrupt";
}

bool is_time_limit(const Incident& incident) {
  const std::string why = lower_case(incident.error);
  return incident.kind == IncidentKind::job_cancelled && (contains(why, "time limit") || contains(why, "walltime"));
}

bool is_link_up(const Incident& incident) { return incident.event.as<DeviceFaulted>().what == "Link up"; }

std::optional<Stage> stage_of_end(const Model& model, const Incident& incident) {
  if (incident.evidence.lines.empty() || is_of_another_job(incident)) return std::nullopt;
  switch (incident.kind) {
    case IncidentKind::program_raised:
      return stage_of_exception(model, incident);
    case IncidentKind::phrase_seen:
      return incident.error.empty() ? std::nullopt : stage_of_exception(model, incident);
    case IncidentKind::memory_killed:
      return Stage::hardware;  // No failure of NCCL uses up the memory of a host.
    case IncidentKind::process_ended:
      return stage_of_exit(model, incident);
    case IncidentKind::job_cancelled:
      if (contains(incident.error, "NODE FAILURE")) return Stage::hardware;
      if (contains(incident.error, "NOT ENDING WITH SIGNALS")) return Stage::symptom;
      if (incident.error.empty() && follows_results(model, incident)) return std::nullopt;
      return incident.error.empty() ? Stage::symptom : Stage::program;
    case IncidentKind::node_lost:
      // mpirun may have lost its daemon for another reason, which then stands beside.
      return one_of(incident.event.as<NodeLost>().who, {"ORTE", "PRTE", "Remote daemon"}) ? Stage::program
                                                                                          : Stage::hardware;
    case IncidentKind::gpu_faulted:
      return Stage::hardware;
    case IncidentKind::device_faulted:
      return is_link_up(incident) ? std::nullopt : std::optional(Stage::hardware);
    default:
      return std::nullopt;
  }
}

std::string raised_text(std::string_view exception) {
  const auto* const named = std::ranges::find(named_exceptions, exception, &NamedException::exception);
  if (named != std::end(named_exceptions)) return std::string(named->text);
  return concat("The program raised ", excerpt(exception, 60));
}

Call call_of(const WatchdogTimeout& stuck) {
  constexpr std::string_view uneven[] = {"SCATTER", "GATHER", "ALLTOALL", "SEND", "RECV", "COALESCED"};
  // PyTorch checks that input and output of these fit each other, and passes one count to NCCL.
  constexpr std::string_view even[] = {"_ALLGATHER_BASE", "_REDUCE_SCATTER_BASE"};
  const bool may_differ = std::ranges::find(even, std::string_view(stuck.operation)) == std::end(even) &&
                          std::any_of(std::begin(uneven), std::end(uneven),
                                      [&](std::string_view part) { return contains(stuck.operation, part); });
  return {stuck.operation, may_differ ? -1 : stuck.elements_in, may_differ ? -1 : stuck.elements_out};
}

bool has_watchdog_timeout(const Model& model) {
  return std::ranges::any_of(
      model.stuck, [](const WatchdogTimeout& stuck) { return stuck.sequence >= 0 || !stuck.operation.empty(); });
}

}  // namespace nccl_analyze
