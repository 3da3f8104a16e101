// Judges the outcome of a job by lines that prove its failure or end, and without such lines by the findings.

#include "report/sentences/outcome.h"

#include <algorithm>
#include <array>
#include <set>

#include "queries/attempts.h"
#include "queries/ranks.h"
#include "report/sentences/verdict.h"
#include "report/sentences/words.h"
#include "rules/outcome.h"
#include "text/phrases.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

/// Whether the finding is about ranks that wait for other ranks.
bool is_about_waiting(const Finding& finding) {
  return finding.stage() == Stage::hang ||
         one_of(finding.rule->name,
                {"watchdog-timeout", "straggler", "collective-mismatch", "ranks-not-started", "init-incomplete"});
}

/// Whether the finding may be a failure of the job itself, and not a failed expectation of the user (NCA8).
bool may_be_failure(const Finding& finding) {
  return finding.severity() != Severity::info && finding.stage() <= Stage::symptom && !finding.survived &&
         !finding.rule->id.starts_with("NCA8");
}
bool is_failure_of_job(const Finding& finding) {
  return may_be_failure(finding) && finding.severity() == Severity::error;
}

/// Whether NCCL returned an error after the warning of one of the finding's incidents.
bool is_returned(const Model& model, const Finding& finding) {
  return std::ranges::any_of(finding.incidents,
                             [&](Index index) { return model.incidents[static_cast<std::size_t>(index)].failed; });
}

/// Whether the failure ends the job: NCCL returned an error after the warning, or a program, a process or the traffic
/// between processes failed. After other failures NCCL continues without a plugin, a NIC or a file. A finding that
/// consists only of driver lookups (cudawrap.cc) counts only if NCCL returned an error.
bool ends_job(const Model& model, const Finding& finding) {
  const bool is_lookup = !finding.incidents.empty() && std::ranges::all_of(finding.incidents, [&](Index index) {
    return contains(model.incidents[static_cast<std::size_t>(index)].place, "cudawrap.cc");
  });
  if (is_returned(model, finding)) return true;
  if (is_lookup) return false;
  const Stage stage = finding.stage();
  return stage == Stage::program || stage == Stage::process || stage == Stage::network;
}

/// Whether the finding is a mismatch of calls that NCCL refuses: NCCL returns an error, and no rank waits. NCCL also
/// refuses a message of another size. But the receiving thread may keep that error until the program asks for it, and
/// the program may hang until then, so the refusal alone proves no outcome. `has_failed`: whether a line proves that
/// the job failed; every mismatch then counts as refused.
bool is_refused_by_nccl(const Model& model, const Finding& finding, bool has_failed) {
  if (finding.rule->name != "collective-mismatch") return false;
  return has_failed || std::ranges::any_of(finding.incidents, [&](Index index) {
           const Incident& incident = model.incidents[static_cast<std::size_t>(index)];
           return warns(incident.level) && (contains(incident.message, "message truncated") ||
                                            contains(incident.message, "collective mismatch error"));
         });
}

/// Whether the job made progress after the finding: training steps follow every line of its evidence, or each of its
/// processes made progress after all lines of the evidence in the source of that progress.
bool is_followed_by_work(const Model& model, const Finding& finding) {
  const auto training_continues_after = [&](LineRef at) { return model.training_continues_after(at); };
  if (!finding.evidence.lines.empty() && std::ranges::all_of(finding.evidence.lines, training_continues_after))
    return true;
  return !finding.processes.empty() && std::ranges::all_of(finding.processes, [&](Index index) {
    const Process* const process = process_of(model, index);
    return process != nullptr && process->progress.line > 0 &&
           std::ranges::all_of(finding.evidence.lines, [&](LineRef at) {
             return at.source != process->progress.source || at < process->progress;
           });
  });
}

/// Whether a process of the finding starts a communicator after the last line of the evidence, in the same source.
bool starts_again(const Model& model, const Finding& finding) {
  if (finding.evidence.lines.empty()) return false;
  const LineRef last = finding.evidence.lines.back();
  const std::set<Index> processes(finding.processes.begin(), finding.processes.end());
  return std::ranges::any_of(model.communicators, [&](const Communicator& comm) {
    return std::ranges::any_of(comm.ranks, [&](const Rank& rank) {
      return rank.started_at.source == last.source && last < rank.started_at && processes.contains(rank.process);
    });
  });
}

/// Returns the last progress line of each process in the current attempt. Empty if a rank of this attempt failed,
/// aborted, or did not complete its initialisation.
std::vector<LineRef> progress_of(const Model& model, const Attempts& attempts) {
  std::vector<bool> counts(model.processes.size()), with_ranks(model.processes.size());
  bool any = false;
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks) {
      const Process* const process = process_of(model, rank.process);
      if (process == nullptr) continue;
      with_ranks[static_cast<std::size_t>(rank.process)] = true;
      if (attempts.is_earlier(process->last)) continue;
      if (rank.state == RankState::failed || rank.state == RankState::aborted) return {};
      const bool is_open = rank.state == RankState::started && rank.phase != InitPhase::complete;
      if (is_open && !only_connects(comm, rank) && !rank.has(Algorithm::rings)) return {};
      counts[static_cast<std::size_t>(rank.process)] = any = true;
    }
  std::vector<LineRef> lines;
  for (std::size_t i = 0; i < model.processes.size() && any; ++i) {
    const Process& process = model.processes[i];
    // The lines of a process in an excerpt may name no rank; its progress counts beside that of the ranks.
    const bool is_current = counts[i] || (!with_ranks[i] && !attempts.is_earlier(process.last));
    if (is_current && process.progress.line > 0) lines.push_back(process.progress);
  }
  return lines;
}

JobOutcome with_lines(Outcome outcome, const std::vector<LineRef>& lines) {
  std::vector<LineRef> once;  // two incidents may stand on one line
  for (const LineRef at : lines)
    if (at.line > 0 && once.size() < Evidence::max_lines && std::ranges::find(once, at) == once.end())
      once.push_back(at);
  return {once.empty() ? Outcome::unknown : outcome, std::move(once)};
}

/// Returns the last lines without duplicates, sorted; at most Evidence::max_lines.
std::vector<LineRef> last_lines(std::vector<LineRef> lines) {
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  if (lines.size() > Evidence::max_lines) lines.erase(lines.begin(), lines.end() - Evidence::max_lines);
  return lines;
}

/// The last of the lines in each source.
std::vector<LineRef> last_of_sources(std::vector<LineRef> lines) {
  std::ranges::sort(lines);
  std::vector<LineRef> last;
  for (const LineRef at : lines) {
    if (!last.empty() && last.back().source == at.source) last.pop_back();
    last.push_back(at);
  }
  return last;
}

/// The first finding that is a failure of the job; null if there is none.
const Finding* first_failure(const Report& report) {
  const auto found = std::ranges::find_if(report.findings, is_failure_of_job);
  return found == report.findings.end() ? nullptr : &*found;
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  constexpr std::array<std::string_view, 5> words = {"unknown", "completed", "failed", "hung", "running"};
  return words[static_cast<std::size_t>(outcome)];
}

JobOutcome outcome_of(const Model& model, const Report& report) {
  if (totals(model).newest_first > 0) return {};  // the lines are not in the order of time
  const Attempts attempts(model);
  const Finding* const failure = first_failure(report);
  std::vector<LineRef> lines;
  for (const FailureProof& proof : find_failure_proofs(model, attempts)) lines.push_back(proof.at);
  const bool is_refused = failure != nullptr && is_refused_by_nccl(model, *failure, !lines.empty());
  if (failure != nullptr && !is_refused && is_about_waiting(*failure))
    return with_lines(Outcome::hung, failure->evidence.lines);
  if (!lines.empty()) return with_lines(Outcome::failed, lines);
  if (std::vector<LineRef> ends = find_completion(model, attempts); !ends.empty())
    return with_lines(Outcome::completed, last_lines(std::move(ends)));
  if (is_refused && (!is_returned(model, *failure) || starts_again(model, *failure))) return {};
  if (failure != nullptr && ends_job(model, *failure) && !is_followed_by_work(model, *failure))
    return with_lines(Outcome::failed, failure->evidence.lines);
  // Another thread of a process to which NCCL returned an error may still print connections.
  const bool trains = !find_training(model).empty();
  const bool is_healthy = std::ranges::none_of(report.findings, [&](const Finding& finding) {
    if (!may_be_failure(finding)) return false;
    const bool is_fatal = finding.severity() == Severity::error && is_returned(model, finding) && !trains;
    return is_fatal || !is_followed_by_work(model, finding);
  });
  if (!is_healthy) return {};
  std::vector<LineRef> work = find_training(model);
  if (work.empty()) work = last_lines(progress_of(model, attempts));
  return with_lines(Outcome::running, work);
}

std::string describe_outcome(const Model& model, const JobOutcome& outcome) {
  constexpr std::array<std::string_view, 5> sentences = {"", "The job completed", "The job failed", "The job hung",
                                                         "No recognised line shows the end of the job"};
  constexpr std::size_t most = 3;
  if (outcome.outcome == Outcome::unknown) return {};
  const std::vector<LineRef> lines =
      outcome.outcome == Outcome::running ? last_of_sources(outcome.lines) : outcome.lines;
  std::string places;
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) append_item(places, place_of(model, lines[i]));
  if (lines.size() > most) places += ", ...";
  const std::string_view before = outcome.outcome == Outcome::running ? " (last one that shows progress: " : " (";
  return std::string{sentences[static_cast<std::size_t>(outcome.outcome)]}.append(before).append(places).append(").");
}

}  // namespace nccl_analyze
