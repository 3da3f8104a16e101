// Joins the dumps of several ranks by process group.

#include "queries/flight_records.h"

#include <set>
#include <string_view>
#include <tuple>

#include "model/stable_sort.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

/// Returns the name of the group as the watchdog prints it, `GUID 0(default_pg)`, if it is among `printed`.
std::string common_name_of(const FlightRecord& record, const std::set<std::string_view>& printed) {
  std::string name = concat("GUID ", record.name, "(", record.group, ")");
  if (printed.contains(name)) return name;
  return record.group.empty() ? record.name : concat(record.name, " (", record.group, ")");
}

}  // namespace

std::vector<RecordedGroup> recorded_groups(const Model& model) {
  std::set<std::string_view> printed;
  for (const WatchdogTimeout& stuck : model.stuck) printed.insert(stuck.group);
  // By name, description and members.
  std::map<std::tuple<std::string, std::string, std::string>, std::map<int, const FlightRecord*>> groups;
  for (const FlightRecord& record : model.flight_records) {
    if (record.global_rank < 0) continue;
    const FlightRecord*& known = groups[{record.name, record.group, record.members}][record.global_rank];
    if (known == nullptr || std::tie(known->enqueued, known->transfers) < std::tie(record.enqueued, record.transfers))
      known = &record;
  }
  std::vector<RecordedGroup> found;
  std::map<std::string, int> named;
  for (const auto& [key, ranks] : groups) {
    RecordedGroup& group = found.emplace_back();
    group.common_name = common_name_of(*ranks.begin()->second, printed);
    ++named[group.common_name];
    for (const auto& [number, record] : ranks) group.ranks.push_back(record);
  }
  for (RecordedGroup& group : found) {
    const std::string& members = group.ranks.front()->members;
    group.name = group.common_name;
    if (named[group.name] > 1 && !members.empty())
      group.name += " of ranks " + members.substr(members[0] == '#' ? 1 : 0);
  }
  sort_stably(found, [](const RecordedGroup& a, const RecordedGroup& b) { return a.name < b.name; });
  return found;
}

RecordedNames::RecordedNames(const std::vector<RecordedGroup>& groups) {
  for (const RecordedGroup& group : groups)
    for (const FlightRecord* record : group.ranks) names_[{group.common_name, record->global_rank}] = &group.name;
}

const std::string& RecordedNames::of(const WatchdogTimeout& stuck) const {
  const auto found = names_.find({stuck.group, stuck.global_rank});
  return found == names_.end() ? stuck.group : *found->second;
}

RecordedLag lag_of(const RecordedGroup& group) {
  RecordedLag lag;
  for (const FlightRecord* record : group.ranks)
    if (record->sequence >= 0 && (lag.sequence < 0 || record->sequence < lag.sequence)) lag.sequence = record->sequence;
  if (lag.sequence < 0) return lag;
  for (const FlightRecord* record : group.ranks) {
    // Without any collective it is not known which one was the last.
    if (record->enqueued >= 0 && record->enqueued < lag.sequence) lag.behind.push_back(record);
    if (record->sequence == lag.sequence) lag.waiting.push_back(record);
  }
  if (lag.behind.size() > lag.waiting.size()) lag.behind.clear();
  return lag;
}

}  // namespace nccl_analyze
