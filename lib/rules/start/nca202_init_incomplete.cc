// NCA202 reports communicators with Init START but without Init COMPLETE, and the phase in which each rank stopped.

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "model/versions.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/completeness.h"
#include "queries/platform.h"
#include "queries/ranks.h"
#include "rules/findings.h"
#include "rules/support/external_failures.h"
#include "rules/support/missing_ranks.h"
#include "rules/support/unstarted.h"
#include "text/message_text.h"

namespace nccl_analyze::nca202 {

namespace {

constexpr std::uint64_t few_lines = 20;  ///< More lines than this behind a rank's last line show that its log goes on.

/// Returns the name of the phase for conditions of the advice.
std::string_view phase_name(InitPhase phase) {
  switch (phase) {
    case InitPhase::bootstrap:
      return "bootstrap";
    case InitPhase::allgather:
      return "exchange";
    case InitPhase::topology:
      return "topology";
    default:
      return "connecting";
  }
}

std::string_view phase_text(InitPhase phase) {
  switch (phase) {
    case InitPhase::bootstrap:
      return "in the bootstrap, where every rank waits for all others";
    case InitPhase::allgather:
      return "in the exchange of rank data right after the bootstrap";
    case InitPhase::topology:
      return "while building rings and trees";
    case InitPhase::connect:
      return "while connecting channels";
    case InitPhase::complete:
      return "at the very end";
  }
  return "in an unknown phase";
}

/// Whether Init COMPLETE or timings show that some rank completed the initialisation. No rank completes alone, so the
/// missing lines of other ranks were merely cut off.
bool was_completed(const Communicator& comm) {
  return std::ranges::any_of(comm.ranks, [](const Rank& rank) {
    return rank.state == RankState::complete || rank.state == RankState::destroyed ||
           rank.phase == InitPhase::complete || rank.init_seconds.has_value();
  });
}

/// Whether the log has an Init START or COMPLETE line of the communicator. Only these lines identify it, so without
/// them its start is not in the log.
bool shows_start(const Communicator& comm) { return !comm.inferred && (comm.comm_id != 0 || comm.parent >= 0); }

/// Whether the log was probably cut off during the initialisation: no rank failed, and all ranks are in phases that
/// take only moments. The topology phase is such a phase. The allgather before it is one only if the input has all
/// ranks; otherwise ranks may be waiting there for the missing ones.
bool looks_cut(const Communicator& comm) {
  const bool all_here = static_cast<int>(comm.ranks.size()) == comm.nranks;
  return std::ranges::all_of(comm.ranks, [&](const Rank& rank) {
    return rank.state == RankState::started &&
           (rank.phase == InitPhase::topology || (all_here && rank.phase == InitPhase::allgather));
  });
}

/// What ended the processes of the input from outside, found in one pass over all incidents.
class Ends {
 public:
  explicit Ends(const Model& model) {
    constexpr int crashes[] = {4, 6, 7, 8, 11};  // SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV; others come from outside.
    for (const Incident& incident : model.incidents) {
      if (incident.evidence.lines.empty()) continue;
      const LineRef at = incident.evidence.lines.back();
      if (is_stopped_by_hand(incident) || is_time_limit(incident))
        stops_[at.source] = std::max(stops_[at.source], at.line);
      const int status = incident.kind == IncidentKind::process_ended && !incident.survived ? exit_status(incident) : 0;
      crashed_ = crashed_ || std::ranges::find(crashes, -status) != std::end(crashes);
    }
    crashed_ = crashed_ && model.stuck.empty();
  }
  /// Whether somebody stopped the program, or the scheduler ended the job at its time limit, after line `at` of a
  /// source. The source is then not merely cut off behind `at`.
  bool stopped_after(LineRef at) const {
    const auto found = stops_.find(at.source);
    return found != stops_.end() && at.line < found->second;
  }
  /// Whether a signal ended a process, and no watchdog had given up before: the ranks did not wait then.
  bool crashed() const { return crashed_; }

 private:
  std::map<SourceId, std::uint64_t> stops_;  ///< The last such line of each source.
  bool crashed_ = false;
};

/// Whether a benchmark of the input measured something, for which its ranks had to join.
bool has_results(const Model& model) {
  return std::ranges::any_of(model.benchmarks,
                             [](const Benchmark& benchmark) { return !benchmark.measurements.empty(); });
}

/// Whether nccl-tests listed its ranks and printed no row of results.
bool awaits_benchmark(const Model& model) {
  return std::ranges::any_of(model.benchmarks, [](const Benchmark& benchmark) {
    return benchmark.ranks.size() > 1 && !benchmark.ended && benchmark.measurements.empty();
  });
}

/// Returns processes that may hang in the bootstrap of NCCL before 2.23, which prints Init START only after the
/// bootstrap. The last line of each process is the choice of the network, or the version that rank 0 prints behind it.
/// A log that was merely cut off would hardly end at this line for every process.
std::vector<Index> waiting_without_start(const Model& model, const Ends& ends) {
  std::vector<Index> waiting;
  if (!model.communicators.empty() || ends_early(model) || has_results(model)) return waiting;
  for (const Process& process : model.processes) {
    if (!process.info_seen) continue;
    const bool starts_late = process.version.empty() || lower_version(process.version.view(), "2.23");
    const bool stands = process.last == process.network_at || process.last == process.version_at;
    if (process.network_at.line == 0 || !stands || !starts_late) return {};
    waiting.push_back(index_of(model, process));
  }
  const bool is_alone =
      waiting.size() == 1 && !awaits_benchmark(model) && !ends.stopped_after(model.processes[waiting.front()].last);
  if (is_alone) waiting.clear();
  return waiting;
}

/// Whether processes that wait without Init START prove more than that the log ends: all were ended from outside, or
/// there are three or more of them.
bool surely_waits(const Model& model, const Ends& ends, const std::vector<Index>& waiting) {
  return waiting.size() >= 3 ||
         std::ranges::all_of(waiting, [&](Index index) { return ends.stopped_after(model.processes[index].last); });
}

void add_waiting(const Model& model, const Ends& ends, RuleResult& result) {
  std::vector<Index> waiting = waiting_without_start(model, ends);
  if (waiting.empty()) return;
  Finding& finding = result.findings.emplace_back();
  for (const Index index : waiting) add_line(finding.evidence, model.processes[index].network_at);
  const bool surely = surely_waits(model, ends, waiting);
  finding.own_severity = surely ? Severity::warning : Severity::info;
  finding.message = concat(waiting.size() == 1 ? std::string("The process in this input")
                                               : concat("All ", waiting.size(), " processes in this input"),
                           " chose the network, and the input has nothing of NCCL afterwards: the ranks wait in the "
                           "bootstrap for each other or for a rank "
                           "that is not here",
                           surely ? "" : ", or this is an excerpt");
  finding.values = {{"phase", "bootstrap"}};
  if (!surely) finding.values.push_back({"end", "open"});
  if (waiting.size() == 1) finding.values.push_back({"processes", "one"});
  set_scope(model, std::move(waiting), finding);
}

/// Whether the source of every rank continues after the rank's last line. If it does, the rank never printed the
/// missing lines. False if a source has a torn line, because its output may be block-buffered and the last block lost.
bool goes_on(const Model& model, const Communicator& comm) {
  return std::ranges::all_of(comm.ranks, [&](const Rank& rank) {
    const Process* process = process_of(model, rank.process);
    if (process == nullptr || static_cast<std::size_t>(process->source) >= model.sources.size()) return false;
    const ParseStats& stats = model.sources[static_cast<std::size_t>(process->source)].stats;
    return stats.damage(Damage::torn) == 0 && stats.log_lines_after(process->last.line) > few_lines;
  });
}

/// Whether lines can be assigned to ranks reliably: every rank has a host name, and no two ranks of a host use the same
/// GPU. Two ranks that seem to do so are on different machines that print the same host name.
bool tells_ranks_apart(const Model& model, const Communicator& comm) {
  std::set<std::pair<std::string_view, std::uint64_t>> gpus;
  return std::ranges::all_of(comm.ranks, [&](const Rank& rank) {
    const Process* process = process_of(model, rank.process);
    return process != nullptr && !process->host.empty() &&
           (!rank.has_bus_id || gpus.emplace(process->host.view(), rank.bus_id).second);
  });
}

/// Whether every rank of the communicator is here and was ended from outside after its last line.
bool was_ended(const Model& model, const Ends& ends, const Communicator& comm) {
  return static_cast<int>(comm.ranks.size()) == comm.nranks && std::ranges::all_of(comm.ranks, [&](const Rank& rank) {
           const Process* const process = process_of(model, rank.process);
           return process != nullptr && ends.stopped_after(process->last);
         });
}

/// Returns Severity::error only if the log continues, a watchdog reported a timeout, or all ranks were ended from
/// outside. Otherwise a missing COMPLETE proves no failure, because the input may be an excerpt that ends too early.
/// The severity is then `warning` if the input has the beginning of every rank's log, else `info`.
Severity severity_of(const Model& model, const Ends& ends, const Communicator& comm) {
  if (ends.crashed()) return Severity::info;
  if (!model.stuck.empty() || goes_on(model, comm) || was_ended(model, ends, comm)) return Severity::error;
  const bool all_here = static_cast<int>(comm.ranks.size()) == comm.nranks;
  const bool all_start = std::ranges::all_of(comm.ranks, [](const Rank& rank) { return rank.start_seen; });
  return all_here && all_start && tells_ranks_apart(model, comm) && shows_start_of_every_rank(model, comm)
             ? Severity::warning
             : Severity::info;
}

/// Ranks that began the initialisation and did not complete it, by the phase that they reached.
struct Stuck {
  std::map<InitPhase, std::vector<int>> ranks;
  bool is_undated = false;    ///< Whether Init START, which the last ranks printed, may stand behind the bootstrap.
  bool has_unplaced = false;  ///< Whether lines of this input may be of ranks that are not in the communicator.

  std::string text_of(InitPhase phase) const {
    return std::string(is_undated && phase == InitPhase::bootstrap
                           ? "in the bootstrap or right behind it, where every rank waits for all others"
                           : phase_text(phase));
  }
};

/// `is_open`: whether the input may merely end too early.
std::string message_of(const Model& model, const Communicator& comm, const Stuck& stuck, bool is_open) {
  std::vector<std::string> phases;
  for (const auto& [phase, ranks] : stuck.ranks)
    phases.push_back(concat(ranks_text(ranks), is_open ? " last seen " : " ", stuck.text_of(phase)));
  const std::vector<int> missing = unlogged_ranks(comm);
  return concat(
      "The initialisation of ", count_text(static_cast<std::size_t>(std::max(comm.nranks, 0)), "rank"),
      is_open ? " began, and its end is not in this input, with " : " began and did not end; when the log ends, ",
      list_text(phases),
      when(!missing.empty(), "; the input has no initialisation of ", ranks_text(missing),
           unless_here(model, comm, missing.size(), stuck.has_unplaced)));
}

/// Returns the phase that the rank reached. `late_start`: whether Init START stands behind the bootstrap.
InitPhase phase_of(const Rank& rank, bool late_start) {
  if (rank.has(Algorithm::rings) || rank.has(Algorithm::trees)) return std::max(rank.phase, InitPhase::connect);
  return late_start ? std::max(rank.phase, InitPhase::allgather) : rank.phase;
}

/// Sets the values that select the steps of the finding.
void set_values(const Communicator& comm, const Stuck& stuck, Finding& finding) {
  const InitPhase phase = stuck.ranks.begin()->first;
  finding.values = {{"phase", std::string(phase_name(phase))}};
  if (stuck.is_undated && phase == InitPhase::bootstrap) finding.values.push_back({"release", "unknown"});
  if (const std::vector<int> missing = unlogged_ranks(comm); !missing.empty())
    finding.values.push_back({"missing", short_rank_set(missing, 60)});
  if (finding.provisional) finding.values.push_back({"end", "open"});
}

/// If ranks stopped in different phases, adds the ranks in the earliest phase as suspects, because the others wait for
/// them.
void suspect_the_earliest(const Stuck& stuck, Finding& finding) {
  if (stuck.ranks.size() < 2) return;
  const auto& [phase, ranks] = *stuck.ranks.begin();
  if (ranks.size() * 2 > finding.ranks.size()) return;
  for (const int rank : ranks)
    finding.suspects.push_back(
        {.rank = rank, .process = -1, .why = concat("last seen ", stuck.text_of(phase)), .inferred = true});
}

/// Says why a missing Init COMPLETE proves nothing (may_be_lost()).
NotEvaluated lost_end(const Model& model) {
  if (ends_early(model)) return {{}, "the input ends early, and Init COMPLETE may be in the missing part", {}};
  return {
      {}, "lines of this log are damaged, and Init COMPLETE may be among them", "NCCL_DEBUG_FILE=/logs/nccl.%h.%p.log"};
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  const bool late_start = starts_after_bootstrap(model), is_undated = may_start_after_bootstrap(model);
  const bool has_unplaced = has_unplaced_lines(model);
  if (!find_unstarted(model).empty()) return result;  // NCA201 reports this case in more detail.
  const Ends ends(model);
  add_waiting(model, ends, result);
  const std::vector<bool> at_work = communicators_at_work(model);
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& comm = model.communicators[i];
    if (comm.nranks == 1 || !shows_start(comm) || was_completed(comm) || at_work[i]) continue;
    if (looks_cut(comm) && model.stuck.empty() && !was_ended(model, ends, comm)) continue;
    Stuck stuck{.ranks = {}, .is_undated = is_undated && !late_start, .has_unplaced = has_unplaced};
    Finding finding;
    for (const Rank& rank : comm.ranks) {
      if (rank.state != RankState::started || rank.started_at.line == 0) continue;
      stuck.ranks[phase_of(rank, late_start)].push_back(rank.rank);
      finding.ranks.push_back(rank.rank);
      add_line(finding.evidence, rank.started_at);
    }
    if (finding.evidence.count == 0) continue;
    if (may_be_lost(model, comm, finding.ranks.size())) {
      result.not_evaluated.push_back(lost_end(model));
      continue;
    }
    finding.communicators = {static_cast<Index>(i)};
    finding.own_severity = severity_of(model, ends, comm);
    if (finding.own_severity != Severity::error) {  // The log may have been cut off.
      finding.own_stage = Stage::note;
      finding.provisional = true;
    }
    finding.message = message_of(model, comm, stuck, finding.provisional);
    set_values(comm, stuck, finding);
    suspect_the_earliest(stuck, finding);
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace nccl_analyze::nca202
