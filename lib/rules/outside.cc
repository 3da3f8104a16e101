#include "rules/outside.h"

#include <algorithm>

#include "rules/rule_support.h"

namespace nccl_analyze {

namespace {

/// A traceback is the end of a program when it is near the end of its log.
constexpr std::uint64_t last_lines = 500;

constexpr int sigabrt = 6, sigterm = 15;

/// Exceptions that tell of another process's end, or wrap an exception that was printed before.
bool is_echo(const Incident& incident) {
  constexpr std::string_view names[] = {"torch.distributed.DistNetworkError",
                                        "torch.distributed.DistStoreError",
                                        "ConnectionResetError",
                                        "ConnectionRefusedError",
                                        "BrokenPipeError",
                                        "EOFError",
                                        "subprocess.CalledProcessError",
                                        "ray.exceptions.RayTaskError",
                                        "ray.exceptions.ActorDiedError",
                                        "ray.exceptions.RayActorError",
                                        "ray.exceptions.WorkerCrashedError"};
  constexpr std::string_view words[] = {"Connection reset by peer", "Broken pipe", "Connection closed by peer",
                                        "Socket Timeout",           "worker died", "EngineCore"};
  const bool is_phrase = incident.kind == IncidentKind::phrase_seen;
  const std::string& exception = is_phrase ? incident.error : incident.subject;
  const std::string& said = is_phrase ? incident.message : incident.error;
  return std::any_of(std::begin(names), std::end(names), [&](auto name) { return exception == name; }) ||
         std::any_of(std::begin(words), std::end(words), [&](auto part) { return contains(said, part); });
}

/// A communicator was begun behind the exception: somebody caught it.
bool went_on(const Model& model, LineRef at) {
  return std::any_of(model.communicators.begin(), model.communicators.end(), [&](const Communicator& comm) {
    return std::any_of(comm.ranks.begin(), comm.ranks.end(), [&](const Rank& rank) {
      return rank.started_at.source == at.source && at < rank.started_at && rank.state != RankState::failed &&
             rank.state != RankState::started;
    });
  });
}

bool has_trouble(const Model& model) {
  if (!model.stuck.empty()) return true;
  return std::any_of(model.incidents.begin(), model.incidents.end(), [](const Incident& incident) {
    return incident.kind == IncidentKind::connection_closed || incident.kind == IncidentKind::socket_failed ||
           incident.kind == IncidentKind::process_ended || incident.kind == IncidentKind::nccl_error_raised;
  });
}

std::optional<Stage> stage_of_exception(const Model& model, const Incident& incident) {
  const LineRef at = incident.evidence.lines.front();
  const auto source = static_cast<std::size_t>(at.source);
  const bool at_end = source < model.sources.size() && at.line + last_lines >= model.sources[source].stats.lines;
  if (went_on(model, at) || (!at_end && !has_trouble(model))) return std::nullopt;
  return is_echo(incident) ? Stage::symptom : Stage::program;
}

}  // namespace

std::optional<Stage> stage_of_end(const Model& model, const Incident& incident) {
  if (incident.evidence.lines.empty()) return std::nullopt;
  switch (incident.kind) {
    case IncidentKind::program_raised:
      return stage_of_exception(model, incident);
    case IncidentKind::phrase_seen:
      return incident.error.empty() ? std::nullopt : stage_of_exception(model, incident);
    case IncidentKind::process_ended:
      if (is_memory_kill(incident)) return Stage::program;
      if (incident.code == -sigterm) return std::nullopt;                         // launchers end the others so
      if (incident.code > 0 || incident.code == -sigabrt) return Stage::symptom;  // its own output says why
      return incident.code < 0 || !incident.subject.empty() ? std::optional(Stage::program) : std::nullopt;
    case IncidentKind::job_cancelled:
      return incident.error.empty() ? Stage::symptom : Stage::program;
    case IncidentKind::gpu_faulted:
      return Stage::hardware;
    default:
      return std::nullopt;
  }
}

bool is_memory_kill(const Incident& incident) {
  if (incident.kind != IncidentKind::process_ended) return false;
  return one_of(incident.subject, {"Killed process", "OOMKilled", "oom_kill event", "oom-kill event", "Out Of Memory",
                                   "killed due to memory pressure"});
}

bool is_program_out_of_memory(const Incident& incident) {
  if (incident.kind != IncidentKind::program_raised) return false;
  return contains(incident.subject, "OutOfMemoryError") || contains(incident.error, "CUDA out of memory") ||
         contains(incident.error, "HIP out of memory") || contains(incident.error, "CUDA error: out of memory") ||
         incident.subject == "MemoryError";
}

Call call_of(const StuckRank& stuck) {
  constexpr std::string_view uneven[] = {"SCATTER", "GATHER", "ALLTOALL", "SEND", "RECV", "COALESCED"};
  const bool may_differ = std::any_of(std::begin(uneven), std::end(uneven),
                                      [&](std::string_view part) { return contains(stuck.operation, part); });
  return {stuck.operation, may_differ ? -1 : stuck.elements_in, may_differ ? -1 : stuck.elements_out};
}

bool has_watchdog_timeout(const Model& model) {
  return std::any_of(model.stuck.begin(), model.stuck.end(),
                     [](const StuckRank& stuck) { return stuck.sequence >= 0; });
}

}  // namespace nccl_analyze
