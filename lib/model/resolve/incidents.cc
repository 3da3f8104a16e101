// Completes incidents: extracts facts from their text, finds the error trace after each, and determines whether their
// process continued.

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "messages/meanings.h"
#include "messages/phrases.h"
#include "model/resolve/errors.h"
#include "model/resolve/outlived.h"
#include "model/resolve/passes.h"
#include "model/tcpx.h"
#include "model/wording.h"
#include "nccl_analyze/events/bootstrap.h"
#include "nccl_analyze/events/collective.h"
#include "nccl_analyze/events/external.h"
#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/events/plugin.h"
#include "nccl_analyze/events/ras.h"
#include "text/blanks.h"
#include "text/lower_case.h"
#include "text/search.h"
#include "text/word_list.h"

namespace nccl_analyze::builder {

namespace {

/// Maximum number of lines from a warning to its error trace. Lines of other processes may be in between.
constexpr std::uint64_t trace_distance = 12;

/// A line in which a process propagates an error.
struct TraceLine {
  Index process = -1;
  LineRef at;
  Index incident = -1;
  friend bool operator<(const TraceLine& a, const TraceLine& b) {
    return std::tie(a.process, a.at, a.incident) < std::tie(b.process, b.at, b.incident);
  }
};

class ErrorTraces {
 public:
  explicit ErrorTraces(const std::vector<Incident>& incidents) {
    for (std::size_t i = 0; i < incidents.size(); ++i) {
      const Incident& one = incidents[i];
      if (one.kind != IncidentKind::error_propagated || one.evidence.lines.empty()) continue;
      first_lines_.push_back({one.process, one.evidence.lines.front(), static_cast<Index>(i)});
      for (const LineRef at : one.evidence.lines) lines_.push_back({one.process, at, static_cast<Index>(i)});
    }
    std::sort(first_lines_.begin(), first_lines_.end());
    std::sort(lines_.begin(), lines_.end());
  }

  /// Returns the first error_propagated incident of the process at or after line `at`, in the same source; -1 if there
  /// is none.
  Index behind(Index process, LineRef at) const {
    const auto found = std::lower_bound(first_lines_.begin(), first_lines_.end(), TraceLine{process, at, -1});
    const bool fits = found != first_lines_.end() && found->process == process && found->at.source == at.source;
    return fits ? found->incident : -1;
  }

  /// Whether the process propagates an error at most trace_distance lines after line `at`.
  bool right_behind(Index process, LineRef at) const {
    auto found = std::lower_bound(lines_.begin(), lines_.end(), TraceLine{process, at, -1});
    while (found != lines_.end() && found->process == process && !(at < found->at)) ++found;
    return found != lines_.end() && found->process == process && found->at.source == at.source &&
           found->at.line - at.line <= trace_distance;
  }

 private:
  std::vector<TraceLine> first_lines_, lines_;
};

template <class Parts>
bool holds_any(std::string_view text, const Parts& parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

/// Returns the name of the rule for an exception, chosen by its class and message.
std::string_view topic_of_exception(std::string_view exception, std::string_view words) {
  constexpr std::string_view memory[] = {"CUDA out of memory", "HIP out of memory", "CUDA error: out of memory"};
  const bool is_of_cuda = is_cuda_exception(exception, words);
  if (exception.find("OutOfMemoryError") != std::string_view::npos || exception == "MemoryError" ||
      holds_any(words, memory) || (is_of_cuda && words.find("out of memory") != std::string_view::npos))
    return "out-of-memory";
  return is_of_cuda ? "cuda-error" : "application-error";
}

/// Whether an exception only reports the end of another process, or wraps an exception that was printed before.
bool is_echo(std::string_view exception, std::string_view words) {
  static constexpr WordList names{
      "torch.distributed.DistNetworkError torch.distributed.DistStoreError ConnectionResetError "
      "ConnectionRefusedError BrokenPipeError EOFError subprocess.CalledProcessError "
      "torch.distributed.elastic.multiprocessing.errors.ChildFailedError ray.exceptions.RayTaskError RayTaskError "
      "ray.exceptions.ActorDiedError ray.exceptions.RayActorError ray.exceptions.WorkerCrashedError"};
  static constexpr WordList echoes{
      "Connection reset by peer|Broken pipe|Connection closed by peer|Socket Timeout|worker died|EngineCore|"
      "Engine core initialization failed",
      '|'};
  return std::ranges::find(names, exception) != std::end(names) || holds_any(words, echoes);
}

/// Whether a launcher or the kernel killed the process for lack of memory (ProcessEnded::why).
bool is_memory_kill(std::string_view why) {
  static constexpr WordList kills{
      "Killed process|OOMKilled|ray.exceptions.OutOfMemoryError|oom_kill event|oom-kill event|Out Of Memory|"
      "killed due to memory pressure|OOMKilling|job killed: mem|job killed: vmem|"
      "job killed after reaching LSF memory usage limit",
      '|'};
  return std::ranges::find(kills, why) != std::end(kills);
}

/// Whether one of Google's plugins timed out waiting for its peer. Most of their source is not public, therefore
/// keywords decide instead of known messages.
bool is_tcpx_timeout(std::string_view network, std::string_view words) {
  constexpr std::string_view signs[] = {"timeout", "timed out",   "stall",         "stuck",
                                        " hang",   "no progress", "not responding"};
  return is_google_network(network) && holds_any(lower_case(words), signs);
}

/// Whether `mismatch in info from procs, nranks 4 vs 4, …` names equal sizes. NCCL then compared incompatible data
/// structures of two versions.
bool has_equal_counts(std::string_view words) {
  const std::size_t at = words.find("nranks ");
  const std::size_t versus = at == std::string_view::npos ? at : words.find(" vs ", at);
  if (versus == std::string_view::npos) return false;
  const std::string_view one = words.substr(at + 7, versus - at - 7);
  const std::string_view other = words.substr(versus + 4, one.size());
  const std::size_t end = versus + 4 + one.size();
  return one == other && (end == words.size() || words[end] < '0' || words[end] > '9');
}

/// Extracts the text in brackets: `Connection refused` from `misc/socket.cc:64 -> 2 (Connection refused)`. Empty if
/// there are no brackets.
std::string in_brackets(std::string_view message) {
  const std::size_t open = message.find('(');
  return open == std::string_view::npos ? std::string()
                                        : std::string(message.substr(open + 1, message.find(')', open) - open - 1));
}

bool has_words(const Incident& incident, std::string_view words) {
  return incident.message.find(words) != std::string::npos;
}

/// The word behind these words: `i-0a1b2c` in `Peer host id: i-0a1b2c.`; empty if they are not there.
std::string_view word_behind(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + words.size());
  const std::string_view word = rest.substr(0, rest.find(' '));
  return word.ends_with('.') ? word.substr(0, word.size() - 1) : word;
}

/// Whether the severity is fatal: true for `async fatal event`, false for `Got non-fatal async event`.
bool is_fatal(std::string_view severity) {
  return severity.find("fatal") != std::string_view::npos && severity.find("non-fatal") == std::string_view::npos;
}

/// Returns the address of the peer in an event; empty if the event has none.
std::string peer_of(const KeptEvent& event) {
  for (const std::string_view peer :
       {event.as<ConnectFailed>().address, event.as<ConnectRetried>().address, event.as<ConnectionClosed>().peer,
        event.as<SocketFailed>().peer, event.as<IbCompletionFailed>().peer, event.as<CollectiveMismatched>().peer,
        event.as<WqeDelayed>().peer, event.as<RasPeerDead>().peer, event.as<RasTimedOut>().peer,
        event.as<RasVersionMismatched>().peer})
    if (!peer.empty()) return std::string(trimmed(peer));
  return {};
}

/// Derives the aspect of a warning whose row has none: `nic` if NCCL did not find where a NIC is attached, `closed` if
/// the peer closed a connection.
std::string_view aspect_of_warning(const Incident& incident) {
  constexpr std::string_view nics[] = {"/sys/class/net/", "/sys/class/infiniband/"};
  if (incident.topic == "topology-detect-failed") return holds_any(incident.message, nics) ? "nic" : "";
  return lower_case(incident.message).find("closed") != std::string::npos ? "closed" : "";
}

/// Extracts facts that are only in the text of an incident, so that rules need not parse text.
struct Reading {
  IncidentKind kind;
  void (*read)(Incident& incident);
};

void read_aspect(Incident& incident) {
  if (incident.aspect.empty()) incident.aspect = aspect_of_warning(incident);
}

constexpr Reading readings[] = {
    {IncidentKind::program_raised,
     [](Incident& incident) {
       const auto& raised = incident.event.as<ProgramRaised>();
       incident.topic = topic_of_exception(raised.exception, incident.error);
       incident.echo = is_echo(raised.exception, incident.error);
       if (find_phrase(incident.error).softened) incident.aspect = "retried";
     }},
    {IncidentKind::phrase_seen,  // `error` is the name of the exception that contains the phrase
     [](Incident& incident) { incident.echo = !incident.error.empty() && is_echo(incident.error, incident.message); }},
    {IncidentKind::process_ended,
     [](Incident& incident) {
       const auto& ended = incident.event.as<ProcessEnded>();
       incident.aspect = std::string(ended.why == "Evicted" ? "pod" : ended.about);
       if (is_memory_kill(incident.event.as<ProcessEnded>().why)) incident.kind = IncidentKind::memory_killed;
     }},
    {IncidentKind::error_propagated, [](Incident& incident) { incident.error = in_brackets(incident.message); }},
    {IncidentKind::vendor_network_warned,
     [](Incident& incident) {
       const auto& noted = incident.event.as<VendorNetworkNoted>();
       if (is_tcpx_timeout(noted.network, noted.detail)) incident.topic = "tcpx-timeout";
     }},
    // Only creating a segment needs space. Attaching fails if the creator is gone or has another /dev/shm.
    {IncidentKind::shared_memory_failed,
     [](Incident& incident) {
       incident.topic = has_words(incident, "attaching") ? "internal-error" : "shm-too-small";
     }},
    {IncidentKind::world_mismatched,
     [](Incident& incident) {
       incident.topic = has_equal_counts(incident.message) ? "version-mismatch" : "world-split";
     }},
    {IncidentKind::handshake_refused,
     [](Incident& incident) {
       if (has_words(incident, "wrong type")) incident.aspect = "wrong-type";
     }},
    {IncidentKind::ib_rails_mismatched,
     [](Incident& incident) {
       if (has_words(incident, "different number of devices")) incident.aspect = "port-counts";
     }},
    {IncidentKind::ofi_request_failed,  // Since 1.18 libfabric adds the hosts of both ends to its text.
     [](Incident& incident) {
       if (has_words(incident, "queue pair"))
         incident.peer = std::string(word_behind(incident.error, "Peer host id: "));
     }},
    {IncidentKind::other_warning, read_aspect},
    {IncidentKind::call_failed, read_aspect},
    {IncidentKind::ib_async_event,  // Older versions of libibverbs have no name for event 18.
     [](Incident& incident) {
       if (incident.error == "unknown event type" && has_words(incident, "(18)")) incident.error = "GID table change";
       if (is_fatal(incident.event.as<IbAsyncEvent>().severity)) incident.aspect = "fatal";
     }},
};

void read_words(Incident& incident) {
  incident.peer = peer_of(incident.event);
  incident.error_number = errno_of(incident);
  incident.cuda_error = cuda_error_of(incident);
  const auto* const reading = std::ranges::find(readings, incident.kind, &Reading::kind);
  if (reading != std::end(readings)) reading->read(incident);
}

/// Lines of NCCL 2.8 to 2.11 about refused connections to the thread that allocates memory for other ranks. The thread
/// reads the first bytes of a connection as a size and continues after a failure, so a connection from outside the job
/// harms no rank.
class RefusedAllocations {
 public:
  explicit RefusedAllocations(const std::vector<Incident>& incidents) {
    for (const Incident& one : incidents)
      if (one.message.starts_with("[Rem Allocator] Allocation failed"))
        for (const LineRef at : one.evidence.lines) lines_.push_back({one.process, at, -1});
    std::sort(lines_.begin(), lines_.end());
  }

  /// Whether the process prints such a line at most trace_distance lines after the incident.
  bool right_behind(const Incident& incident) const {
    if (lines_.empty() || incident.evidence.lines.empty()) return false;
    const LineRef at = incident.evidence.lines.back();
    const auto found = std::lower_bound(lines_.begin(), lines_.end(), TraceLine{incident.process, at, -1});
    return found != lines_.end() && found->process == incident.process && found->at.source == at.source &&
           found->at.line - at.line <= trace_distance;
  }

 private:
  std::vector<TraceLine> lines_;
};

std::string_view file_of(std::string_view place) { return place.substr(0, place.find(':')); }

/// Whether the failure of a shared memory segment only repeats the CUDA error before it. NCCL registers the segment
/// with CUDA in the same source file, and prints no errno if that fails.
bool repeats_cuda_failure(const Incident& incident, const Incident* before) {
  return incident.kind == IncidentKind::shared_memory_failed && incident.error_number == 0 && before != nullptr &&
         before->kind == IncidentKind::cuda_failed && before->process == incident.process && !incident.place.empty() &&
         file_of(before->place) == file_of(incident.place);
}

/// The lines that prove that processes survived an incident.
struct Survival {
  std::map<SourceId, LineRef> results;
  LineRef first_end;
  std::vector<SourceProgress> work;
};

/// Whether a program reports the incident, in its own words or as an exception, or the incident is the end of an
/// unnamed program, as a shell or the kernel reports it.
bool is_of_program(const Incident& incident) {
  if (incident.kind == IncidentKind::process_ended) return incident.event.as<ProcessEnded>().is_bare();
  return incident.kind == IncidentKind::program_raised || incident.kind == IncidentKind::nccl_error_raised ||
         incident.kind == IncidentKind::phrase_seen;
}

bool is_survived(const Model& model, const Survival& survival, const Incident& incident) {
  if (incident.evidence.lines.empty() || incident.uncaught) return false;
  if (survival.first_end.line > 0 && job_survived(incident, survival.first_end)) return true;
  const LineRef last = incident.evidence.lines.back();
  const auto result = survival.results.find(last.source);
  if (result != survival.results.end() && last < result->second) return true;
  if (model.training_continues_after(last)) return true;
  if (incident.process < 0) return is_of_program(incident) && progressed_after(survival.work, last);
  const LineRef progress = model.processes[incident.process].progress;
  return progress.source == last.source && last < progress;
}

/// Whether the incident reports that NCCL did not find libcuda.so, in which old releases look up functions of the
/// driver, although its process set up a communicator of GPUs.
bool is_missed_lookup(const Model& model, const Incident& incident) {
  return incident.process >= 0 && model.processes[incident.process].setup_seen &&
         nccl_analyze::contains(incident.message, "Failed to find CUDA library");
}

/// Marks the network plugin of a process as failed, because an error trace follows its warning.
void fail_plugin(Process& process) {
  for (Plugin& plugin : process.plugins)
    if (plugin.kind == "net" && plugin.status != PluginStatus::initialized) plugin.status = PluginStatus::failed;
}

/// Whether NCCL or the SHARP plugin says that CollNet cannot be set up. NCCL goes on without it (collNetTrySetup(),
/// since 2.23 ncclCollNetSetup(): the caller ignores the result).
bool gives_up_collnet(const Incident& incident) {
  constexpr std::string_view signs[] = {"Cannot initialize CollNet", "SHARP coll init error", "SHARP group create",
                                        "sharp_coll_caps_query failed"};
  return incident.kind == IncidentKind::other_warning && holds_any(incident.message, signs);
}

/// Whether the error traces of a process are all from the set-up of CollNet. A failed initialisation would pass on
/// through more of init.cc and through group.cc.
class CollnetTraces {
 public:
  void add(const Incident& trace) {
    const auto& event = trace.event.as<ErrorPropagated>();
    const std::string_view file = event.file.empty() ? file_of(trace.place) : event.file;
    constexpr std::string_view files[] = {"transport.cc", "coll_net.cc", "proxy.cc", "init.cc"};
    const bool is_known = std::ranges::any_of(files, [file](std::string_view one) {
      return file.ends_with(one) && (file.size() == one.size() || file[file.size() - one.size() - 1] == '/');
    });
    others_ = others_ || !is_known || !event.thread.empty();
    if (file.ends_with("init.cc")) in_init_ = in_init_ < 0 || in_init_ == event.line ? event.line : several;
  }
  bool all_survived() const { return !others_ && in_init_ != several; }

 private:
  static constexpr int several = 1 << 30;
  int in_init_ = -1;  ///< The line of init.cc that passes the error on; -1: none does.
  bool others_ = false;
};

/// Marks error traces that only led to the end of CollNet as survived. Not every rank prints the warning that says so:
/// the first rank of a host does.
void survive_collnet_failures(std::vector<Incident>& incidents) {
  if (std::ranges::none_of(incidents, gives_up_collnet)) return;
  std::map<Index, CollnetTraces> traces;
  for (const Incident& incident : incidents) {
    if (incident.kind == IncidentKind::nccl_error_raised) return;  // NCCL did not go on.
    if (incident.kind == IncidentKind::error_propagated) traces[incident.process].add(incident);
  }
  for (Incident& incident : incidents)
    if (incident.kind == IncidentKind::error_propagated && traces[incident.process].all_survived())
      incident.survived = true;
}

}  // namespace

void find_orderly_ends(Model& model) {
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (rank.process >= 0 && rank.state == RankState::destroyed) model.processes[rank.process].ended_in_order = true;
}

/// Whether NCCL always returns an error after the warning, so that no error trace is needed to know it. Without INFO no
/// trace is printed.
bool always_fails(const Model& model, const Incident& incident) {
  if (!warns(incident.level) || incident.survived || model.training_continues_after(incident.evidence.lines.back()))
    return false;
  const Meaning* const meaning = meaning_of(incident.message);
  return meaning != nullptr && meaning->kind == MessageClass::failure;
}

void resolve_incidents(Model& model) {
  const ErrorTraces trails(model.incidents);
  const Survival survival{last_results(model), first_orderly_end(model), work_of_sources(model)};
  const RefusedAllocations refused(model.incidents);
  const Incident* before = nullptr;
  for (Incident& incident : model.incidents) {
    read_words(incident);
    incident.echo = incident.echo || repeats_cuda_failure(incident, before);
    before = &incident;
    incident.survived =
        incident.aspect == "retried" || is_survived(model, survival, incident) || is_missed_lookup(model, incident);
    if (refused.right_behind(incident)) {
      incident.survived = true;
      incident.aspect = "stranger";
    }
    if (incident.evidence.lines.empty()) continue;
    incident.failed =
        trails.right_behind(incident.process, incident.evidence.lines.back()) || always_fails(model, incident);
    incident.error_trace = trails.behind(incident.process, incident.evidence.lines.front());
    if (incident.failed && incident.topic == "net-plugin-failed" && incident.process >= 0)
      fail_plugin(model.processes[incident.process]);
  }
  survive_collnet_failures(model.incidents);
}

}  // namespace nccl_analyze::builder
