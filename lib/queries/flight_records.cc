// Joins the dumps of several ranks by process group.

#include "queries/flight_records.h"

#include <algorithm>
#include <map>
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

}  // namespace nccl_analyze
