// NCA604 reports collectives that a framework's watchdog timed out, and the ranks that were behind.

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "queries/recorded_waits.h"
#include "rules/failures/desynced.h"
#include "rules/failures/waiting_phase.h"
#include "rules/findings.h"
#include "rules/support/calls.h"
#include "rules/support/failure.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca604 {

namespace {

/// Returns the rank in the job if the line shows it, else the rank in the process group. The two differ unless the
/// group is the whole job.
int number_of(const WatchdogTimeout& stuck) { return stuck.global_rank >= 0 ? stuck.global_rank : stuck.rank; }

/// Whether the process group of this name is taken for the whole job, whose ranks have the same numbers as in the job.
bool is_name_of_job(std::string_view name) {
  return name.empty() || contains(name, "default") || name == "0" || name == "GUID 0";
}

/// Watchdog timeouts of the ranks of one process group.
struct Group {
  std::vector<const WatchdogTimeout*> ranks;
  std::int64_t first = -1;  ///< Number of the first collective that timed out; later collectives wait for it.
  bool alone = true;        ///< Whether no line names another group.
  bool has_rivals = false;  ///< Whether another group timed out, too.
  /// Whether a send or receive timed out, or a group of them. Each process numbers these itself.
  bool is_of_transfers = false;
  /// Where the ranks behind wait by the flight recorder; of sends and receives, where the ranks wait that timed out.
  HeldRanks held;
  std::string cause;  ///< The group in which the ranks behind wait in the end; empty if there is none.

  void add(const WatchdogTimeout& stuck) {
    ranks.push_back(&stuck);
    if (stuck.sequence >= 0 && (first < 0 || stuck.sequence < first)) first = stuck.sequence;
  }
  bool is_behind(const WatchdogTimeout& stuck) const {
    return !is_of_transfers && stuck.enqueued >= 0 && stuck.enqueued < first;
  }
  /// The ranks on which the group was the first one to give up, by number_of().
  std::set<int> first_signals() const {
    std::set<int> found;
    for (const WatchdogTimeout* stuck : ranks)
      if (stuck->first_to_signal && number_of(*stuck) >= 0) found.insert(number_of(*stuck));
    return found;
  }
  /// Adds the ranks of the job on which the group was the first one to give up.
  void add_signals_to(std::set<int>& signals) const {
    for (const WatchdogTimeout* stuck : ranks)
      if (stuck->first_to_signal && stuck->global_rank >= 0) signals.insert(stuck->global_rank);
  }
  /// Whether the ranks of the group have the same numbers as in the job.
  bool is_whole_job() const { return is_name_of_job(ranks.front()->group); }
  /// Whether the group is not the whole job, and a line gives the number of its rank within the group, but no global
  /// rank.
  bool has_own_numbers() const {
    return !is_whole_job() && std::ranges::any_of(ranks, [](const WatchdogTimeout* stuck) {
      return stuck->global_rank < 0 && stuck->rank >= 0;
    });
  }
};

std::string collective_text(const Group& group) {
  for (const WatchdogTimeout* stuck : group.ranks)
    if (stuck->sequence == group.first && !stuck->operation.empty()) return excerpt(stuck->operation, 40);
  return "collective";
}

/// The size of the collective; empty if the ranks print different ones.
std::string elements_text(const Group& group) {
  std::int64_t elements = -1;
  for (const WatchdogTimeout* stuck : group.ranks) {
    if (stuck->sequence != group.first || stuck->elements_in < 0) continue;
    if (elements >= 0 && stuck->elements_in != elements) return {};
    elements = stuck->elements_in;
  }
  return when(elements >= 0, " (", elements, elements == 1 ? " element)" : " elements)");
}

/// Whether a collective of the group timed out. Without a number, a timeout counts only if a line names the collective.
bool has_timed_out(const Group& group) { return group.first >= 0 || collective_text(group) != "collective"; }

std::string wait_text(const Group& group) {
  double longest = -1;
  for (const WatchdogTimeout* stuck : group.ranks) longest = std::max(longest, stuck->timeout_seconds);
  return when(longest >= 0, " after ", seconds_text(longest));
}

/// Returns the ranks that timed out, by their numbers in the group. Leaves out ranks with only a global rank unless the
/// group is the whole job.
std::set<int> in_group(const Group& group) {
  std::set<int> ranks;
  for (const WatchdogTimeout* stuck : group.ranks)
    if (stuck->rank >= 0 || group.is_whole_job()) ranks.insert(stuck->rank >= 0 ? stuck->rank : stuck->global_rank);
  ranks.erase(-1);
  return ranks;
}

std::vector<int> sorted_ranks(const std::set<int>& ranks) { return {ranks.begin(), ranks.end()}; }

/// Says on which ranks the group gave up before the other groups that timed out; empty if it is the only one.
std::string signal_text(const Group& group) {
  const std::set<int> ranks = group.has_rivals ? group.first_signals() : std::set<int>();
  return when(!ranks.empty(), ", the first to give up on ", ranks_text(sorted_ranks(ranks)));
}

/// Describes the last collectives that COLL lines show on the communicator of the group. Empty if the ranks of the
/// group use several communicators, because the log does not show which of them hangs.
std::string calls_text(const Model& model, const Group& group) {
  const auto is_stuck = [&](const Rank& rank) {
    return rank.calls && std::ranges::any_of(group.ranks, [&](const WatchdogTimeout* stuck) {
             return stuck->process < 0 || stuck->process == rank.process;
           });
  };
  std::vector<std::string> texts;
  for (const Communicator& comm : model.communicators)
    if (std::ranges::any_of(comm.ranks, is_stuck)) texts.push_back(last_calls_text(model, comm));
  return texts.size() == 1 ? texts.front() : std::string();
}

/// Returns the process of a rank; -1 if unknown. `rank` is the number in watchdog messages. A rank that reported no
/// timeout is looked up in the largest communicator, because PyTorch's default process group has the same rank numbers.
Index process_of_rank(const Model& model, int rank) {
  for (const WatchdogTimeout& stuck : model.stuck)
    if (number_of(stuck) == rank && stuck.process >= 0) return stuck.process;
  return process_of_job_rank(model, rank);
}

/// Adds ranks to the suspects of the finding, up to a limit of 64 suspects, and sets its value `story` to `behind` if
/// there are any. `why` is the reason: `called number 7 last`.
void suspect(const Model& model, const std::vector<int>& ranks, std::string_view why, Finding& finding) {
  constexpr std::size_t most = 64;
  if (!ranks.empty() && finding.suspects.empty()) finding.values.emplace_back("story", "behind");
  for (const int rank : ranks)
    if (finding.suspects.size() < most)
      finding.suspects.push_back({.rank = rank, .process = process_of_rank(model, rank), .why = std::string(why)});
}

/// Returns the contents of PyTorch's desync report in a sentence, and adds the ranks that it blames to the finding's
/// suspects if their numbers in the job are known.
std::string desync_text(const Model& model, const Group& group, const DesyncReport& report, Finding& finding) {
  std::map<int, int> job_ranks;
  for (const WatchdogTimeout* stuck : group.ranks)
    if (stuck->global_rank >= 0) job_ranks.try_emplace(stuck->rank, stuck->global_rank);
  std::set<int> suspects;
  for (const int rank : report.blamed) {
    const auto known = job_ranks.find(rank);
    if (group.alone && (group.is_whole_job() || known != job_ranks.end()))
      suspects.insert(group.is_whole_job() ? rank : known->second);
  }
  suspect(model, sorted_ranks(suspects), "by PyTorch's desync report", finding);
  finding.evidence.add(report.evidence);
  return concat(". By PyTorch's desync report ", report.text,
                !group.alone           ? " (of a process group that it does not name)"
                : group.is_whole_job() ? ""
                                       : " (numbered within their process group)");
}

/// Suspects the ranks behind that wait nowhere by the flight recorder, and those for which the others wait.
void suspect_behind(const Model& model, const Group& group, const std::set<int>& behind, std::string_view why,
                    Finding& finding) {
  std::vector<int> stopped, awaited;
  for (const int rank : suspects_of(group.held, group.cause, behind))
    (behind.contains(rank) ? stopped : awaited).push_back(rank);
  suspect(model, stopped, why, finding);
  suspect(model, awaited, "others wait for it in sends and receives", finding);
  for (const FlightRecord* record : group.held.transfers) finding.evidence.add(record->evidence);
}

/// Returns the ranks of the job that report a timeout of any group.
std::set<int> timed_out_ranks(const Model& model) {
  std::set<int> found;
  for (const WatchdogTimeout& stuck : model.stuck)
    if (stuck.global_rank >= 0 || is_name_of_job(stuck.group)) found.insert(number_of(stuck));
  return found;
}

/// Returns a sentence that names the ranks of the job that report no timeout, and adds them to the finding's suspects;
/// of ranks that only report that of another operation it says so. Empty unless more than half of its `size`
/// ranks report this one.
std::string silent_text(const Model& model, const Group& group, const std::set<int>& reported, int size,
                        Finding& finding) {
  const auto count = static_cast<int>(reported.size());
  if (!group.is_whole_job() || count == 0 || count >= size || count * 2 <= size || *reported.rbegin() >= size)
    return {};
  const std::set<int> all = timed_out_ranks(model);
  std::vector<int> silent, elsewhere;
  for (int rank = 0; rank < size; ++rank)
    if (!reported.contains(rank)) (all.contains(rank) ? elsewhere : silent).push_back(rank);
  if (silent.empty())
    return concat(". ", capitalized(ranks_text(elsewhere)), elsewhere.size() == 1 ? " reports" : " report",
                  " the timeout of another operation instead");
  suspect(model, silent, "reports no timeout, as the others do", finding);
  return concat(". ", capitalized(ranks_text(silent)), silent.size() == 1 ? " does" : " do",
                " not report a timeout: look there first");
}

/// Whether every rank must take part before any rank completes the collective.
bool needs_all_ranks(std::string_view operation) {
  return contains(operation, "ALLREDUCE") || contains(operation, "ALLGATHER") || contains(operation, "ALLTOALL") ||
         contains(operation, "REDUCE_SCATTER") || operation == "BARRIER";
}

/// Returns a sentence if some ranks completed the collective of this number in which others wait. The ranks then called
/// different collectives under one number, or a part of the data was lost. Empty if no line shows it.
std::string apart_text(const Group& group, Finding& finding) {
  std::set<int> completed, waiting;
  for (const WatchdogTimeout* stuck : group.ranks) {
    const int rank = number_of(*stuck);
    if (rank >= 0 && stuck->completed >= group.first) completed.insert(rank);
    if (rank >= 0 && stuck->sequence == group.first) waiting.insert(rank);
  }
  if (group.first < 0 || completed.empty() || waiting.empty() || !needs_all_ranks(collective_text(group))) return {};
  finding.values.emplace_back("story", "apart");
  return concat(". ", capitalized(ranks_text(sorted_ranks(completed))), " completed a collective of this number: the ",
                "ranks called different ones, because they did not take the same steps, or data was lost on the way");
}

/// Returns a sentence that names the ranks that lag behind, and adds them to the finding's suspects. If the input does
/// not show them, the sentence states that.
std::string behind_text(const Model& model, const Group& group, Finding& finding) {
  const std::string not_shown = ". Whether a rank is behind, and which, is not in this input";
  std::set<int> waiting, behind, reported;
  std::map<std::int64_t, std::set<int>> enqueued;
  for (const WatchdogTimeout* stuck : group.ranks) {
    const int rank = number_of(*stuck);
    if (rank < 0) continue;
    reported.insert(rank);
    if (stuck->enqueued >= 0 && !group.is_of_transfers) enqueued[stuck->enqueued].insert(rank);
    (group.is_behind(*stuck) ? behind : waiting).insert(rank);
  }
  if (group.is_of_transfers) {
    suspect_behind(model, group, {}, {}, finding);
    return group.held.places.empty() ? not_shown : held_text(group.held, "By the flight recorder");
  }
  if (!behind.empty()) {
    suspect_behind(model, group, behind, concat("called number ", enqueued.begin()->first, " last"), finding);
    return concat(". ", capitalized(ranks_text(sorted_ranks(behind))), behind.size() == 1 ? " has" : " have",
                  " not called it yet (last one: ", enqueued.begin()->first, "): the others wait for ",
                  behind.size() == 1 ? "it" : "them", held_text(group.held, "Meanwhile"));
  }
  if (const auto report = desync_report(model, in_group(group))) return desync_text(model, group, *report, finding);
  if (std::string text = apart_text(group, finding); !text.empty()) return text;
  const int size = job_size(model);
  if (std::string text = silent_text(model, group, reported, size, finding); !text.empty()) return text;
  const bool all_called = enqueued.size() > 1 || (size > 0 && static_cast<int>(waiting.size()) == size);
  if (all_called) finding.values.emplace_back("story", "called");
  if (enqueued.size() > 1)
    return concat(". All ranks that report have called it; ", ranks_text(sorted_ranks(enqueued.begin()->second)),
                  " went no further than number ", enqueued.begin()->first, ", ",
                  ranks_text(sorted_ranks(enqueued.rbegin()->second)), " came to ", enqueued.rbegin()->first);
  if (!all_called)
    if (std::string text = phase_text(model, group.ranks, group.first, finding); !text.empty()) return text;
  const std::string calls = calls_text(model, group);
  return calls.empty() ? not_shown : concat(". By their COLL lines ", calls);
}

/// Moves lines of the first suspect to the front of the evidence, because readers start there.
void put_suspects_first(const Model& model, const Group& group, Finding& finding) {
  Evidence evidence;
  for (const Suspect& suspect : finding.suspects) {
    for (const WatchdogTimeout* stuck : group.ranks)
      if (number_of(*stuck) == suspect.rank && evidence.lines.size() < 2) evidence.add(stuck->evidence);
    if (evidence.count > 0) break;
    if (const Process* process = process_of(model, suspect.process)) add_line(evidence, process->last);
    break;
  }
  if (evidence.count == 0) return;
  for (const LineRef line : finding.evidence.lines)
    if (evidence.lines.size() < Evidence::max_lines &&
        std::find(evidence.lines.begin(), evidence.lines.end(), line) == evidence.lines.end())
      evidence.lines.push_back(line);
  finding.evidence.lines = std::move(evidence.lines);
}

/// Whether the communicator of the finding numbers its ranks as the job does.
bool numbers_ranks(const Model& model, const Finding& finding, const Group& group) {
  if (finding.communicators.size() != 1) return true;
  const Communicator& comm = model.communicators[finding.communicators.front()];
  return std::ranges::all_of(group.ranks, [&](const WatchdogTimeout* stuck) {
    const Rank* const rank = find_rank(comm, number_of(*stuck));
    return stuck->process < 0 || (rank != nullptr && rank->process == stuck->process);
  });
}

Finding finding_of(const Model& model, const std::string& name, const Group& group) {
  Finding finding;
  std::vector<Index> processes;
  std::set<int> waiting;
  for (const WatchdogTimeout* stuck : group.ranks) {
    finding.evidence.add(stuck->evidence);
    if (stuck->process >= 0) processes.push_back(stuck->process);
    const bool is_same = stuck->operation.empty() || collective_text(group) == excerpt(stuck->operation, 40);
    if (stuck->sequence == group.first && is_same && number_of(*stuck) >= 0) waiting.insert(number_of(*stuck));
  }
  if (!processes.empty()) set_scope(model, std::move(processes), finding);
  finding.ranks = sorted_ranks(waiting);
  if (!numbers_ranks(model, finding, group)) finding.communicators.clear();
  finding.message =
      concat(collective_text(group), when(group.first >= 0, " number ", group.first), elements_text(group),
             " did not finish", wait_text(group), when(!waiting.empty(), " on ", ranks_text(finding.ranks)),
             when(!name.empty(), ", process group ", excerpt(name, 60)),
             group.has_own_numbers() ? ", which numbers its ranks itself" : "", signal_text(group),
             behind_text(model, group, finding));
  put_suspects_first(model, group, finding);
  if (group.is_whole_job() && group.first >= 0 && group.first <= 1) finding.values.emplace_back("number", "first");
  constexpr int most_gpus = 16;  // No host has more.
  if (!waiting.empty() && *waiting.rbegin() >= most_gpus) finding.values.emplace_back("hosts", "several");
  if (!group.has_own_numbers()) return finding;
  finding.ranks.clear();  // These are numbers within the group, but readers would take them for ranks of the job.
  finding.suspects.clear();
  finding.values.clear();
  return finding;
}

using Groups = std::map<std::string, Group>;

/// Moves timeouts without the name of a group, which some lines of PyTorch omit, to a group with a name: the only one,
/// else the only one in which the same rank timed out on the same collective.
void place_nameless(Groups& groups) {
  auto nameless = groups.extract("");
  if (nameless.empty()) return;
  // For each rank, its groups, and its collective in each of them.
  std::map<std::pair<int, int>, std::map<Group*, std::int64_t>> known;
  for (auto& [name, group] : groups)
    for (const WatchdogTimeout* stuck : group.ranks)
      known[{stuck->rank, stuck->global_rank}].try_emplace(&group, stuck->sequence);
  Group* const only = groups.size() == 1 ? &groups.begin()->second : nullptr;
  for (const WatchdogTimeout* stuck : nameless.mapped().ranks) {
    std::vector<Group*> fitting;
    for (const auto& [group, sequence] : known[{stuck->rank, stuck->global_rank}])
      if (sequence < 0 || stuck->sequence < 0 || sequence == stuck->sequence) fitting.push_back(group);
    Group* const place = only != nullptr ? only : fitting.size() == 1 ? fitting.front() : nullptr;
    (place != nullptr ? *place : groups[""]).add(*stuck);
  }
}

/// Builds the finding for a desync report without watchdog timeouts.
Finding finding_of(const DesyncReport& report) {
  Finding finding;
  finding.message = concat("By PyTorch's desync report ", report.text);
  finding.ranks = report.blamed;
  finding.evidence = report.evidence;
  return finding;
}

/// Whether a send or receive timed out, or a group of them, which no dump shows as a collective of this number.
/// `recorded`: null if there is no dump of the group.
bool has_lost_transfer(const Group& group, const RecordedGroup* recorded) {
  const std::string operation = collective_text(group);
  if (operation == "SEND" || operation == "RECV") return true;
  return operation == "COALESCED" && recorded != nullptr &&
         std::ranges::find(recorded->ranks, group.first, &FlightRecord::sequence) == recorded->ranks.end();
}

/// Adds what dumps of the flight recorder show, also of ranks without a log.
void add_records(const std::vector<RecordedGroup>& recorded, const RecordedWaits& waits, Groups& groups) {
  std::map<std::string_view, const RecordedGroup*> recorded_of;
  std::map<std::string_view, const RecordedDesync*> desync_of;
  for (const RecordedGroup& one : recorded) recorded_of[one.name] = &one;
  for (const RecordedDesync& one : waits.desyncs) desync_of[one.group.name] = &one;
  for (auto& [name, group] : groups) {
    const auto found = recorded_of.find(name);
    const RecordedGroup* const records = found == recorded_of.end() ? nullptr : found->second;
    group.is_of_transfers = has_lost_transfer(group, records);
    if (records != nullptr && !group.is_of_transfers)
      std::ranges::copy_if(records->ranks, std::back_inserter(group.ranks),
                           [](const FlightRecord* record) { return record->enqueued >= 0; });
    if (const auto desync = desync_of.find(name); desync != desync_of.end() && !group.is_of_transfers) {
      group.held = desync->second->held;
      group.cause = desync->second->cause;
      continue;
    }
    std::set<int> ranks;
    for (const WatchdogTimeout* stuck : group.ranks)
      if (group.is_of_transfers ? stuck->sequence == group.first : group.is_behind(*stuck))
        ranks.insert(stuck->global_rank);
    group.held = held_in_transfers(waits, ranks);
  }
}

}  // namespace

RuleResult check(const Model& model) {
  Groups groups;
  const std::vector<RecordedGroup> recorded = recorded_groups(model);
  const RecordedNames names(recorded);
  for (const WatchdogTimeout& stuck : model.stuck) groups[names.of(stuck)].add(stuck);
  place_nameless(groups);
  for (auto& [name, group] : groups) group.alone = groups.size() == 1;
  RuleResult result;
  if (groups.empty()) {
    if (const auto report = desync_report(model, {})) result.findings.push_back(finding_of(*report));
    return result;
  }
  add_records(recorded, find_recorded_waits(model), groups);
  std::set<int> signals;  // ranks on which a group that timed out was the first to give up
  const auto timed_out = std::ranges::count_if(groups, [](const auto& one) { return has_timed_out(one.second); });
  for (const auto& [name, group] : groups)
    if (has_timed_out(group)) group.add_signals_to(signals);
  for (auto& [name, group] : groups) {
    if (!has_timed_out(group)) continue;
    group.has_rivals = timed_out > 1;
    Finding& finding = result.findings.emplace_back(finding_of(model, name, group));
    // Groups number their own ranks from 0.
    const auto gave_up_later = [&](const WatchdogTimeout* stuck) { return signals.contains(stuck->global_rank); };
    const bool is_later = group.first_signals().empty() && std::ranges::any_of(group.ranks, gave_up_later);
    const auto cause = group.cause.empty() ? groups.end() : groups.find(group.cause);
    if (is_later || (cause != groups.end() && has_timed_out(cause->second))) finding.own_stage = Stage::symptom;
  }
  return result;
}

}  // namespace nccl_analyze::nca604
