// Recognises the lines that prove a failure or the orderly end of a job.

#include "rules/outcome.h"

#include <algorithm>

#include "model/stable_sort.h"
#include "nccl_analyze/event.h"
#include "rules/findings.h"
#include "rules/support/external_failures.h"
#include "rules/topics.h"
#include "text/search.h"
#include "text/word_list.h"

namespace nccl_analyze {

namespace {

/// Whether the line of an error trace proves that the error reached the program: it is in a file of NCCL whose
/// functions the program calls, or at the end of a thread for which ncclGroupEnd() waits.
bool is_returned_to_caller(const Incident& trail) {
  if (trail.event.as<ErrorPropagated>().thread == "Async thread") return true;
  std::string_view file = trail.event.as<ErrorPropagated>().file;
  file.remove_prefix(std::min(file.rfind('/') + 1, file.size()));
  return one_of(file, {"init.cc", "group.cc", "enqueue.cc", "collectives.cc"});
}

bool proves_failure(const Model& model, const Incident& incident) {
  if (incident.survived || incident.evidence.lines.empty() || is_stopped_by_hand(incident)) return false;
  switch (incident.kind) {
    case IncidentKind::error_propagated:
      return is_returned_to_caller(incident);
    case IncidentKind::nccl_error_raised:
      return true;
    case IncidentKind::phrase_seen:
      return is_fatal_phrase(incident) || stage_of_end(model, incident).has_value();
    case IncidentKind::gpu_faulted:
    case IncidentKind::device_faulted:
      return false;  // A program recovers from some faults.
    default:
      return stage_of_end(model, incident).has_value();
  }
}

/// Whether the input has no warning and no error trace. If so, communicators that the program aborted at its end count
/// as an orderly end.
bool is_quiet(const Model& model) {
  return std::ranges::none_of(model.incidents, [](const Incident& incident) {
    return is_warning(incident) || incident.kind == IncidentKind::error_propagated;
  });
}

/// Parts of lines after which a program ends: lines of the checks of nccl-tests, exceptions of PyTorch for an
/// ncclResult_t, and lines with which NVSHMEM calls exit().
constexpr WordList fatal_words{
    "Test CUDA failure |Test HIP failure |Cuda failure common.cu:|ncclUnhandledCudaError: |ncclSystemError: |"
    "ncclInternalError: |ncclInvalidUsage: |ncclRemoteError: |Heartbeat monitor timed out!|"
    "Exiting to ensure a consistent program state|Terminating the process after attempting to dump debug info|"
    "due to a collective timeout|watchdog got stuck for|timeout (self.watchdog_timeout=|"
    "Failure to post internal receive buffers|Fatal IPC Failure|NVSHMEM API called before|"
    "nvshmem initialization failed, exiting|[HAMI-core ERROR",
    '|'};

/// Adds the end of each benchmark of the current attempt to `lines`; returns false if a benchmark has no end.
bool add_benchmarks(const Model& model, const Attempts& attempts, std::vector<LineRef>& lines) {
  for (const Benchmark& benchmark : model.benchmarks) {
    if (attempts.is_earlier(benchmark.at)) continue;
    if (!benchmark.ended) return false;
    if (benchmark.ended_at.line > 0) lines.push_back(benchmark.ended_at);
  }
  return true;
}

/// Which processes have communicators in the input, and which of them ended one. If a process has communicators that
/// were not split from another one, only these count, because programs end split communicators during the work.
struct Ends {
  std::vector<bool> has_rank, has_end;
};

/// Adds the ends of the ranks of the current attempt. Returns false if a process ended none of its communicators, or if
/// training steps follow the end of one.
bool add_ends(const Model& model, const Attempts& attempts, std::vector<LineRef>& lines) {
  const bool may_abort = is_quiet(model);
  const std::vector<bool> none(model.processes.size());
  Ends own{none, none}, split{none, none};
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks) {
      if (process_of(model, rank.process) == nullptr || attempts.is_earlier(model.processes[rank.process].last))
        continue;
      Ends& ends = comm.parent < 0 && comm.split_count < 0 ? own : split;
      ends.has_rank[static_cast<std::size_t>(rank.process)] = true;
      if (comm.inferred) continue;  // communicators of the process may be unknown
      if (rank.state != RankState::destroyed && !(may_abort && rank.state == RankState::aborted)) continue;
      if (model.training_continues_after(rank.ended_at)) return false;
      ends.has_end[static_cast<std::size_t>(rank.process)] = true;
      lines.push_back(rank.ended_at);
    }
  for (std::size_t i = 0; i < none.size(); ++i) {
    const Ends& ends = own.has_rank[i] ? own : split;
    if (ends.has_rank[i] != ends.has_end[i]) return false;
  }
  return true;
}

}  // namespace

std::vector<LineRef> last_communicator_ends(const Model& model) {
  std::vector<LineRef> ends(model.processes.size());
  std::vector<bool> has_open(model.processes.size());
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks) {
      if (process_of(model, rank.process) == nullptr) continue;
      const auto process = static_cast<std::size_t>(rank.process);
      LineRef& end = ends[process];
      const bool is_elsewhere = end.line > 0 && end.source != rank.ended_at.source;
      if (rank.state != RankState::destroyed || is_elsewhere || comm.inferred) has_open[process] = true;
      end = std::max(end, rank.ended_at);
    }
  for (std::size_t i = 0; i < ends.size(); ++i)
    if (has_open[i]) ends[i] = {};
  return ends;
}

std::vector<LineRef> find_training(const Model& model) {
  const auto is_open = [](const Incident& incident) {
    return is_warning(incident) && !incident.survived && topic_of(incident).rule != "none";
  };
  std::uint64_t nccl_lines = 0;
  std::vector<LineRef> lines;
  for (std::size_t i = 0; i < model.sources.size(); ++i) {
    const ParseStats& stats = model.sources[i].stats;
    nccl_lines += stats.nccl_lines;
    if (stats.trained_at > 0) lines.emplace_back(static_cast<SourceId>(i), stats.trained_at);
  }
  if (nccl_lines == 0 || std::ranges::any_of(model.incidents, is_open)) return {};
  return lines;
}

bool is_mention(const Incident& incident) {
  return incident.kind == IncidentKind::phrase_seen && incident.aspect == "mention";
}

bool is_fatal_phrase(const Incident& incident) {
  if (incident.kind != IncidentKind::phrase_seen || !incident.error.empty() || is_mention(incident)) return false;
  return one_of(incident.topic, {"process-died", "application-error", "launch-failed"}) ||
         std::ranges::any_of(fatal_words, [&](std::string_view words) {
           return contains(incident.message, words) || incident.event.as<PhraseSeen>().phrase == words;
         });
}

std::vector<FailureProof> find_failure_proofs(const Model& model, const Attempts& attempts) {
  std::vector<FailureProof> proofs;
  for (const Incident& incident : model.incidents) {
    if (!proves_failure(model, incident) || attempts.is_earlier(incident)) continue;
    proofs.push_back({index_of(model, incident), incident.process, incident.evidence.lines.back()});
  }
  // The failure ended nothing if results were printed after it.
  const auto is_over = [&](const FailureProof& proof) {
    return std::ranges::any_of(model.benchmarks, [&](const Benchmark& benchmark) {
      return benchmark.ended_at.source == proof.at.source && proof.at < benchmark.ended_at;
    });
  };
  std::erase_if(proofs, is_over);
  sort_stably_by(proofs, &FailureProof::at);
  return proofs;
}

std::vector<LineRef> find_completion(const Model& model, const Attempts& attempts) {
  std::vector<LineRef> results, ends;
  if (!add_benchmarks(model, attempts, results)) return {};
  if (!results.empty()) return results;
  if (!add_ends(model, attempts, ends)) return {};
  std::ranges::sort(ends);
  return ends;
}

}  // namespace nccl_analyze
