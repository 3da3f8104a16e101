// Joins the dumps of several ranks by process group.

#include "queries/flight_records.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "model/stable_sort.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

/// Returns the name of the group as the watchdog prints it, `GUID 0(default_pg)`; empty if no line of a watchdog has
/// it.
std::string watchdog_name(const Model& model, const FlightRecord& record) {
  std::string name = concat("GUID ", record.name, "(", record.group, ")");
  const bool is_there = std::ranges::find(model.stuck, name, &WatchdogTimeout::group) != model.stuck.end();
  return is_there ? name : std::string();
}

std::string name_of(const Model& model, const FlightRecord& record) {
  std::string name = watchdog_name(model, record);
  if (!name.empty()) return name;
  return record.group.empty() ? record.name : concat(record.name, " (", record.group, ")");
}

/// The groups in which a rank waits, by the number of the rank in the job.
using WaitingRanks = std::map<int, std::vector<std::size_t>>;

/// Returns the group in which a rank that is behind in `group` waits; `group` if there is none.
std::size_t where_held(const WaitingRanks& waiting, int rank, std::size_t group) {
  const auto found = waiting.find(rank);
  if (found == waiting.end()) return group;
  const auto other = std::ranges::find_if(found->second, [&](std::size_t one) { return one != group; });
  return other == found->second.end() ? group : *other;
}

/// Sets RecordedDesync::held of all groups. Returns for each group the group whose ranks it waits for in the end; its
/// own position for a group with a rank behind that waits nowhere else, and for groups that wait for each other.
std::vector<std::size_t> causes_of(std::vector<RecordedDesync>& all) {
  constexpr int longest_chain = 16;
  WaitingRanks waiting;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const FlightRecord* record : all[i].lag.waiting) waiting[record->global_rank].push_back(i);
  std::vector<std::set<std::size_t>> holders(all.size());
  std::vector<bool> is_explained(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const FlightRecord* record : all[i].lag.behind) {
      const std::size_t holder = where_held(waiting, record->global_rank, i);
      holders[i].insert(holder);
      if (holder == i) is_explained[i] = true;
      if (holder != i) all[i].held.try_emplace(record->global_rank, all[holder].group.name);
    }
  std::vector<std::size_t> causes(all.size());
  std::iota(causes.begin(), causes.end(), std::size_t{0});
  for (int round = 0; round < longest_chain; ++round)
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto explained = [&](std::size_t holder) { return is_explained[holder]; };
      if (is_explained[i] || !std::ranges::all_of(holders[i], explained)) continue;
      is_explained[i] = true;
      causes[i] = causes[*holders[i].begin()];
    }
  return causes;
}

/// A group in which a rank has an operation that is not complete, though no rank that is recorded is behind, by the
/// number of the rank in the job. Its other ranks may have left no dump.
using OpenGroups = std::map<int, std::string>;

/// Holds ranks that are behind and have an operation open in such a group. If that leaves no rank that waits nowhere,
/// the reason is outside of what is recorded: the group that holds one of them.
void hold_by(const OpenGroups& open, RecordedDesync& desync) {
  std::string holder;
  for (const FlightRecord* record : desync.lag.behind) {
    const auto found = open.find(record->global_rank);
    if (found == open.end() || !desync.held.try_emplace(record->global_rank, found->second).second) continue;
    holder = found->second;
  }
  if (!holder.empty() && desync.held.size() == desync.lag.behind.size()) desync.cause = holder;
}

}  // namespace

std::vector<RecordedGroup> recorded_groups(const Model& model) {
  std::map<std::pair<std::string, std::string>, std::map<int, const FlightRecord*>> groups;
  for (const FlightRecord& record : model.flight_records) {
    if (record.global_rank < 0) continue;
    const FlightRecord*& known = groups[{record.name, record.group}][record.global_rank];
    if (known == nullptr || known->enqueued < record.enqueued) known = &record;
  }
  std::vector<RecordedGroup> found;
  for (const auto& [key, ranks] : groups) {
    RecordedGroup& group = found.emplace_back();
    group.name = name_of(model, *ranks.begin()->second);
    for (const auto& [number, record] : ranks) group.ranks.push_back(record);
  }
  sort_stably(found, [](const RecordedGroup& a, const RecordedGroup& b) { return a.name < b.name; });
  return found;
}

RecordedLag lag_of(const RecordedGroup& group) {
  RecordedLag lag;
  for (const FlightRecord* record : group.ranks)
    if (record->sequence >= 0 && (lag.sequence < 0 || record->sequence < lag.sequence)) lag.sequence = record->sequence;
  if (lag.sequence < 0) return lag;
  for (const FlightRecord* record : group.ranks) {
    if (record->enqueued < lag.sequence) lag.behind.push_back(record);
    if (record->sequence == lag.sequence) lag.waiting.push_back(record);
  }
  if (lag.behind.size() > lag.waiting.size()) lag.behind.clear();
  return lag;
}

std::vector<RecordedDesync> recorded_desyncs(const Model& model) {
  std::vector<RecordedDesync> all;
  OpenGroups open;
  for (RecordedGroup& group : recorded_groups(model)) {
    RecordedLag lag = lag_of(group);
    if (lag.behind.empty())
      for (const FlightRecord* record : lag.waiting) open.try_emplace(record->global_rank, group.name);
    else
      all.push_back({.group = std::move(group), .lag = std::move(lag), .held = {}, .effects = {}, .cause = {}});
  }
  const std::vector<std::size_t> cause = causes_of(all);
  for (RecordedDesync& desync : all) hold_by(open, desync);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (cause[i] == i || !all[i].cause.empty()) continue;
    all[cause[i]].effects.push_back(all[i].group.name);
    all[i].cause = all[cause[i]].group.name;
  }
  return all;
}

}  // namespace nccl_analyze
