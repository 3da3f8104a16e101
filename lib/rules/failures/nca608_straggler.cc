// NCA608 reports ranks that lag behind the others in the sequence of collectives, as shown by NCCL's RAS client, by
// COLL lines, or by missing connections.

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/completeness.h"
#include "queries/progress.h"
#include "rules/failures/reported_stragglers.h"
#include "rules/findings.h"
#include "rules/support/calls.h"
#include "text/message_text.h"

namespace nccl_analyze::nca608 {

namespace {

/// Reports ranks that have made fewer calls than the others, by their COLL lines, when a watchdog reported a hang.
std::vector<Finding> compare_calls(const Model& model) {
  return each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
    const std::optional<Stragglers> found = find_stragglers(model, comm);
    if (!found) return {};
    for (const Rank* rank : found->behind) {
      suspect({.rank = rank->rank, .process = rank->process, .why = "behind the others"}, finding);
      add_line(finding.evidence, rank->calls->last.at);
      add_line(finding.evidence, rank->started_at);
    }
    std::ranges::sort(finding.processes);
    for (const Rank* rank : found->others) add_line(finding.evidence, rank->calls->last.at);
    for (const Rank* rank : found->others) add_line(finding.evidence, rank->started_at);
    finding.own_severity = Severity::error;  // A watchdog timed out, so the job did hang.
    return concat("When the job hung, by their COLL lines ", last_calls_text(model, comm), ": the others wait for ",
                  ranks_text(finding.ranks));
  });
}

constexpr std::uint64_t many_calls = 8;  ///< Ranks of a healthy job are usually fewer calls apart.
constexpr std::uint64_t few_lines = 20;  ///< A log that goes on for so many lines after a call was not cut off there.

/// Whether the ranks behind must be stuck: at least three times as many ranks made the latest call, and the log
/// continues long after that call without calls of the ranks behind.
bool is_frozen(const Model& model, const CallProgress& progress) {
  if (progress.reached.size() < 3 * progress.behind.size()) return false;
  return std::ranges::all_of(progress.reached, [&](const RankProgress& rank) {
    const auto source = static_cast<std::size_t>(rank.at.source);
    return rank.at.source == progress.behind.front().at.source && source < model.sources.size() &&
           model.sources[source].stats.log_lines_after(rank.at.line) >= few_lines;
  });
}

/// Whether watchdogs timed out on all ranks that are ahead and on no rank that is behind. If the input shows the
/// communicator in call lines only, the numbers of its ranks are unknown: then as many ranks must have timed out as are
/// ahead, and the call lines must show all ranks.
bool is_waited_for(const Model& model, const CallProgress& progress) {
  std::set<int> reports;
  for (const WatchdogTimeout& stuck : model.stuck) reports.insert(stuck.rank >= 0 ? stuck.rank : stuck.global_rank);
  const auto gave_up = [&](const RankProgress& rank) { return reports.contains(rank.rank); };
  if (progress.communicator < 0)
    return reports.size() == progress.reached.size() &&
           progress.reached.size() + progress.behind.size() == static_cast<std::size_t>(progress.nranks);
  return std::ranges::all_of(progress.reached, gave_up) && std::ranges::none_of(progress.behind, gave_up);
}

/// Reports ranks whose last call lags behind the latest call. Without a watchdog timeout, only a large gap or a stuck
/// rank counts, because ranks of a healthy job are a few calls apart.
void compare_progress(const Model& model, RuleResult& result) {
  const bool hung = !model.stuck.empty();
  if (hung && !result.findings.empty()) return;
  for (const CallProgress& progress : find_call_progress(model)) {
    if (progress.behind.empty() || progress.reached.size() < progress.behind.size()) continue;
    const bool far = progress.number >= progress.behind.front().number + many_calls;
    if (hung ? !is_waited_for(model, progress) : !far && !is_frozen(model, progress)) continue;
    Finding& finding = result.findings.emplace_back();
    finding.message = concat("By their COLL lines ", progress_text(model, progress), ". The others wait there");
    finding.provisional = !hung;
    if (hung) finding.own_severity = Severity::error;
    if (progress.communicator >= 0) finding.communicators = {progress.communicator};
    for (const RankProgress& rank : progress.behind) {
      add_line(finding.evidence, rank.at);
      const std::string why = concat("its last collective is number ", rank.number);
      suspect({.rank = rank.rank, .process = rank.process, .why = why}, finding);
    }
    for (const RankProgress& rank : progress.reached) add_line(finding.evidence, rank.at);
  }
}

/// Returns one flag per rank: whether the log shows a connection for collectives. Connections for ncclSend and ncclRecv
/// do not count, because each of them joins only two ranks.
std::vector<bool> connected_ranks(const Communicator& comm) {
  std::vector<bool> connected(static_cast<std::size_t>(comm.nranks));
  const auto note = [&](int rank) {
    if (rank >= 0 && rank < comm.nranks) connected[static_cast<std::size_t>(rank)] = true;
  };
  for (const Rank& rank : comm.ranks)
    if (rank.connected != 0) note(rank.rank);
  for (const ConnectionGroup& group : comm.connections.groups())
    if (group.connection == 0) note(group.receive ? group.to : group.from);
  return connected;
}

/// Whether every log of the communicator continues after the last NCCL line of its processes, which proves that no NCCL
/// line was cut off.
bool goes_on_without(const Model& model, const Communicator& comm) {
  std::map<SourceId, std::uint64_t> last;
  for (const Rank& rank : comm.ranks)
    if (const Process* process = process_of(model, rank.process))
      last[process->source] = std::max(last[process->source], process->last.line);
  return std::ranges::all_of(last, [&](const auto& one) {
    const auto source = static_cast<std::size_t>(one.first);
    return source < model.sources.size() && model.sources[source].stats.log_lines_after(one.second) >= few_lines;
  });
}

/// Reports ranks without connections, because all ranks connect in the first collective. If many ranks lack
/// connections, reports nothing, because the log may simply end before the first collective.
std::vector<Finding> compare_connections(const Model& model) {
  constexpr std::size_t many = 4;  // Minimum of connected ranks per unconnected rank.
  if (!model.stuck.empty()) return {};
  return each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
    if (comm.inferred || comm.nranks < 1 || static_cast<int>(comm.ranks.size()) != comm.nranks) return {};
    const std::vector<bool> connected = connected_ranks(comm);
    for (const Rank& rank : comm.ranks) {
      if (connected[static_cast<std::size_t>(rank.rank)]) continue;
      const Process* process = process_of(model, rank.process);
      if (process == nullptr || rank.state != RankState::complete || count_damaged_lines(model, process->source) != 0)
        return {};
      constexpr std::string_view why = "no connection of it is shown";
      suspect({.rank = rank.rank, .process = rank.process, .why = std::string(why), .inferred = true}, finding);
      add_line(finding.evidence, process->last);
    }
    const std::size_t silent = finding.ranks.size();
    if (silent == 0 || silent * (many + 1) > comm.ranks.size()) return {};
    std::ranges::sort(finding.ranks);
    std::ranges::sort(finding.processes);
    for (const Evidence& evidence : comm.transport_evidence) finding.evidence.add(evidence);
    finding.provisional = true;
    // A log that ends here may have been copied a moment before the remaining ranks connected.
    if (!goes_on_without(model, comm)) finding.own_severity = Severity::info;
    return concat(capitalized(ranks_text(finding.ranks)), silent == 1 ? " shows" : " show",
                  " no connection, where the other ", comm.ranks.size() - silent,
                  " ranks of the communicator do: ", silent == 1 ? "it has" : "they have",
                  " not come to the first collective, or the log ends before");
  });
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{compare_calls(model)};
  compare_progress(model, result);
  append(result.findings, compare_connections(model));
  find_stragglers_in_ras_text(model, result);
  find_stragglers_in_ras_json(model, result);
  find_stragglers_in_flight_records(model, result);
  return result;
}

}  // namespace nccl_analyze::nca608
