// Finds the ranks that lag behind, from reports of the RAS client, as text or JSON, and from dumps of PyTorch's flight
// recorder. The ranks of a running job are a few launches apart, so a single report is only a hint; two reports with
// the same counts are a proof.

#include "rules/failures/reported_stragglers.h"

#include <algorithm>
#include <map>
#include <utility>

#include "model/stable_sort.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/launches.h"
#include "queries/ranks.h"
#include "queries/recorded_waits.h"
#include "rules/findings.h"
#include "rules/support/external_failures.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_findings = 16;
constexpr std::size_t max_operations = 3;  // Limit on the operations that a message names.
constexpr std::size_t max_suspects = 64;

/// The ranks of a communicator that lag behind most others in an operation.
struct Lag {
  const RasOpCounts* counts = nullptr;
  std::vector<const RasOpCounts::Listed*> behind;
};

/// Whether the ranks stand still between two reports.
enum class Motion : std::uint8_t { unknown, advancing, frozen };

Motion motion_of(const NewestReport& newest, const std::vector<Lag>& lags) {
  if (newest.older_comm == nullptr) return Motion::unknown;
  for (const Lag& lag : lags) {
    const auto& operations = newest.older_comm->counts;
    const auto before = std::ranges::find(operations, lag.counts->operation, &RasOpCounts::operation);
    if (before == operations.end()) return Motion::advancing;
    for (const RasOpCounts::Listed* rank : lag.behind) {
      const std::int64_t count = launch_count_of(*before, rank->rank);
      if (count < 0) return Motion::unknown;
      if (count != rank->launched) return Motion::advancing;
    }
  }
  return Motion::frozen;
}

std::vector<Lag> lags_of(const RasCommunicator& comm) {
  std::vector<Lag> lags;
  for (const RasOpCounts& counts : comm.counts) {
    Lag lag{&counts, {}};
    for (const RasOpCounts::Listed& rank : counts.listed)
      if (rank.launched < majority_launch_count(counts)) lag.behind.push_back(&rank);
    if (!lag.behind.empty()) lags.push_back(std::move(lag));
  }
  return lags;
}

std::string lag_text(const Model& model, const Lag& lag) {
  std::map<std::int64_t, std::vector<const RasOpCounts::Listed*>> groups;
  for (const RasOpCounts::Listed* rank : lag.behind) groups[rank->launched].push_back(rank);
  std::vector<std::string> parts;
  for (const auto& [launched, ranks] : groups) {
    std::vector<int> numbers;
    for (const RasOpCounts::Listed* rank : ranks) numbers.push_back(rank->rank);
    const RasOpCounts::Listed& one = *ranks.front();
    parts.push_back(concat(
        ranks.size() == 1 ? reported_rank_text(model, one.rank, one.process, one.pid, one.host) : ranks_text(numbers),
        ranks.size() == 1 ? " has" : " have", " launched ", launched));
  }
  return concat(list_text(parts), " ", excerpt(lag.counts->operation, 40), " and most ranks ",
                majority_launch_count(*lag.counts));
}

void add_suspects(const std::vector<Lag>& lags, Finding& finding) {
  std::map<int, std::pair<const RasOpCounts::Listed*, const RasOpCounts*>> ranks;
  for (const Lag& lag : lags)
    for (const RasOpCounts::Listed* rank : lag.behind) ranks.try_emplace(rank->rank, rank, lag.counts);
  for (const auto& [number, one] : ranks) {
    const auto& [rank, counts] = one;
    suspect({.rank = number,
             .process = rank->process,
             .why = concat("launched ", rank->launched, " ", excerpt(counts->operation, 40),
                           " where most ranks launched ", majority_launch_count(*counts)),
             .host = rank->host,
             .pid = rank->pid,
             .gpu = rank->device},
            finding);
  }
}

Finding finding_of(const Model& model, const NewestReport& newest, const std::vector<Lag>& lags, Motion motion) {
  Finding finding;
  std::vector<std::string> parts;
  for (const Lag& lag : lags) {
    parts.push_back(lag_text(model, lag));
    finding.evidence.add(lag.counts->evidence);
  }
  add_line(finding.evidence, newest.comm->at);
  add_suspects(lags, finding);
  if (newest.comm->communicator >= 0) finding.communicators = {newest.comm->communicator};
  finding.values.emplace_back("source", "report");
  const bool one = finding.ranks.size() == 1;
  finding.message = concat("By NCCL's RAS report of ", excerpt(newest.report->time, 40), ", of the ",
                           newest.comm->nranks, " ranks of a communicator ", list_text(parts, max_operations),
                           motion == Motion::frozen
                               ? concat(", the same as at ", excerpt(newest.older->time, 40), ": the others wait for ")
                               : concat(". If the counts are the same a minute later, the others wait for "),
                           one ? "it" : "them");
  const bool hung = motion == Motion::frozen || !model.stuck.empty();
  if (hung) finding.own_severity = Severity::error;
  finding.provisional = !hung;
  return finding;
}

/// Returns the groups of ranks with equal counts, the lowest first. Adds a group for each single rank with a count of
/// its own, for which the client prints none.
std::vector<RasOpCounts::Group> groups_by_count(const RasOpCounts& counts) {
  std::vector<RasOpCounts::Group> groups = counts.groups;
  for (const RasOpCounts::Listed& listed : counts.listed)
    if (std::ranges::find(groups, listed.launched, &RasOpCounts::Group::launched) == groups.end())
      groups.push_back({.launched = listed.launched, .ranks = 1});
  std::ranges::sort(groups, {}, &RasOpCounts::Group::launched);
  return groups;
}

/// Returns `ranks 12-13`, or `30 ranks` for a group whose ranks the client does not list.
std::string group_name(const RasOpCounts& counts, const RasOpCounts::Group& group) {
  std::vector<int> ranks;
  for (const RasOpCounts::Listed& listed : counts.listed)
    if (listed.launched == group.launched) ranks.push_back(listed.rank);
  return ranks.empty() ? count_text(static_cast<std::size_t>(std::max<std::int64_t>(group.ranks, 0)), "rank")
                       : ranks_text(ranks);
}

std::string group_text(const RasOpCounts& counts, const RasOpCounts::Group& group) {
  const std::string who = group_name(counts, group);
  return group.launched > 0 ? concat(who, " came to number ", group.launched) : concat(who, " launched none");
}

/// Suspects the listed ranks that are behind, the furthest first.
void suspect_listed(const RasOpCounts& counts, std::int64_t highest, Finding& finding) {
  std::vector<RasOpCounts::Listed> behind;
  for (const RasOpCounts::Listed& listed : counts.listed)
    if (listed.launched < highest) behind.push_back(listed);
  sort_stably_by(behind, &RasOpCounts::Listed::launched);
  for (const RasOpCounts::Listed& listed : behind) {
    suspect({.rank = listed.rank,
             .process = listed.process,
             .why = concat("launched ", listed.launched, " where others launched ", highest),
             .host = listed.host,
             .pid = listed.pid,
             .gpu = listed.device},
            finding);
  }
  std::ranges::sort(finding.ranks);
  std::ranges::sort(finding.processes);
}

/// Builds the finding for a report as text. The client lists the ranks of the smaller groups, which may also be the
/// ranks that are ahead.
Finding finding_of(const RasOpCounts& counts, const std::vector<RasOpCounts::Group>& groups) {
  Finding finding;
  const RasOpCounts::Group& ahead = groups.back();
  std::int64_t behind = 0;
  std::vector<std::string> parts;
  for (const RasOpCounts::Group& group : groups) {
    parts.push_back(group_text(counts, group));
    if (&group != &ahead) behind += group.ranks;
  }
  suspect_listed(counts, ahead.launched, finding);
  const std::string operation = excerpt(counts.operation, 40);
  const std::int64_t gap = ahead.launched - groups.front().launched;
  if (finding.ranks.empty() && behind > ahead.ranks) {
    finding.values.emplace_back("who", "many");
    finding.message = concat(count_text(static_cast<std::size_t>(behind), "rank"), " are ",
                             gap == 1 ? std::string("one ") : concat("up to ", gap, " "), operation, " behind ",
                             group_name(counts, ahead), ": ", list_text(parts), ". The few wait for the many");
  } else {
    finding.message = concat("Ranks have launched different numbers of ", operation, ": ", list_text(parts),
                             ". Those with the lower number keep the others waiting");
  }
  if (counts.communicator >= 0) finding.communicators = {counts.communicator};
  finding.values.emplace_back("source", "report");
  finding.evidence = counts.evidence;
  return finding;
}

/// Returns sentences on the ranks behind that wait elsewhere themselves, and on the groups that wait for ranks of this
/// one; empty if there are none.
std::string other_waits_text(const RecordedDesync& desync) {
  std::string text = held_text(desync.held, "Meanwhile");
  if (desync.held.places.size() == desync.lag.behind.size() && desync.held.in_transfers.empty())
    text += ": these groups wait for each other";
  std::vector<std::string> names;
  for (const std::string& name : desync.effects) names.push_back(excerpt(name, 60));
  if (!names.empty())
    text += concat(names.size() == 1 ? ". Process group " : ". Process groups ", list_text(names),
                   names.size() == 1 ? " waits" : " wait", " for ranks that wait here");
  return text;
}

/// Adds the ranks that keep the others waiting. A finding that has none names no ranks, which would become suspects.
void add_suspects(const Model& model, const RecordedDesync& desync, Finding& finding) {
  const std::vector<int> suspects =
      suspects_of(desync.held, desync.cause, {finding.ranks.begin(), finding.ranks.end()});
  for (const int rank : suspects) {
    if (finding.suspects.size() == max_suspects) return;
    const auto record = std::ranges::find(desync.lag.behind, rank, &FlightRecord::global_rank);
    finding.suspects.push_back({.rank = rank,
                                .process = process_of_job_rank(model, rank),
                                .why = record == desync.lag.behind.end()
                                           ? std::string("others wait for it in sends and receives")
                                           : concat("its last collective is number ", (*record)->enqueued)});
  }
  if (!suspects.empty()) return;
  finding.ranks.clear();
  finding.values.emplace_back("who", "unknown");
}

Finding finding_of(const Model& model, const RecordedDesync& desync) {
  const RecordedLag& lag = desync.lag;
  Finding finding;
  std::vector<int> waiting;
  for (const FlightRecord* record : lag.behind) {
    finding.ranks.push_back(record->global_rank);
    finding.evidence.add(record->evidence);
  }
  for (const FlightRecord* record : desync.held.transfers) finding.evidence.add(record->evidence);
  for (const FlightRecord* record : lag.waiting) {
    waiting.push_back(record->global_rank);
    finding.evidence.add(record->evidence);
  }
  const FlightRecord& first = *lag.waiting.front();
  const int recorded = static_cast<int>(desync.group.ranks.size());
  finding.message =
      concat("By the flight recorder ", ranks_text(finding.ranks), finding.ranks.size() == 1 ? " has" : " have",
             " not called ", first.operation.empty() ? std::string("collective") : excerpt(first.operation, 40),
             " number ", lag.sequence, " of process group ", excerpt(desync.group.name, 60), ", which ",
             ranks_text(waiting), waiting.size() == 1 ? " has" : " have", " called and not completed",
             when(recorded < first.nranks, " (dumps of ", recorded, " of ", first.nranks, " ranks show it)"),
             ". If the job hung, ", waiting.size() == 1 ? "it waits" : "they wait", " there", other_waits_text(desync));
  add_suspects(model, desync, finding);
  finding.provisional = true;
  return finding;
}

}  // namespace

void find_stragglers_in_ras_text(const Model& model, RuleResult& result) {
  for (const RasOpCounts& counts : model.launch_counts)
    if (const std::vector<RasOpCounts::Group> groups = groups_by_count(counts); groups.size() > 1)
      result.findings.push_back(finding_of(counts, groups));
}

void find_stragglers_in_ras_json(const Model& model, RuleResult& result) {
  std::size_t found = 0;
  for (const NewestReport& newest : newest_reports(model)) {
    const std::vector<Lag> lags = lags_of(*newest.comm);
    // Ranks that launched other operations are no stragglers.
    if (lags.empty() || !find_launch_mismatches(*newest.comm).empty()) continue;
    const Motion motion = motion_of(newest, lags);
    if (motion == Motion::advancing) continue;
    if (++found > max_findings) return;
    result.findings.push_back(finding_of(model, newest, lags, motion));
  }
}

void find_stragglers_in_flight_records(const Model& model, RuleResult& result) {
  if (has_watchdog_timeout(model)) return;
  std::size_t found = 0;
  const RecordedWaits waits = find_recorded_waits(model);
  for (const RecordedDesync& desync : waits.desyncs) {
    if (!desync.cause.empty()) continue;
    if (++found > max_findings) return;
    result.findings.push_back(finding_of(model, desync));
  }
}

}  // namespace nccl_analyze
