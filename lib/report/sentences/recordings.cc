#include "report/sentences/recordings.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "queries/flight_records.h"
#include "queries/launches.h"
#include "text/escape.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_lines = 8;  // Limit for each kind of recording.
constexpr std::size_t max_text = 60;

/// Returns `640 AllReduce by most ranks, 639 by rank 12`, or `640 AllReduce` if no rank is listed.
std::string counts_text(const RasOpCounts& counts) {
  const std::int64_t usual = majority_launch_count(counts);
  std::string text = concat(usual, " ", excerpt(counts.operation, max_text));
  std::map<std::int64_t, std::vector<int>> others;
  for (const RasOpCounts::Listed& rank : counts.listed) others[rank.launched].push_back(rank.rank);
  std::vector<std::string> parts;
  for (const auto& [launched, ranks] : others) parts.push_back(concat(launched, " by ", ranks_text(ranks)));
  return parts.empty() ? text : concat(text, " by most ranks, ", list_text(parts));
}

std::string communicator_text(const RasCommunicator& comm) {
  std::vector<std::string> counts;
  for (const RasOpCounts& one : comm.counts) counts.push_back(counts_text(one));
  return concat("communicator 0x", to_hex(comm.comm_id), ": ", comm.reported, " of ", comm.nranks, " ranks answered",
                counts.empty() ? std::string() : concat(", launched ", list_text(counts)));
}

void describe_ras(const Model& model, std::vector<std::string>& lines) {
  std::size_t left = 0;
  for (const RasReport& report : model.ras_reports)
    for (const RasCommunicator& comm : report.communicators) {
      if (lines.size() >= max_lines && ++left > 0) continue;
      lines.push_back(concat("RAS report of ", excerpt(report.time, max_text), ", ", communicator_text(comm)));
    }
  if (left > 0) lines.push_back(concat("and ", left, " more communicators in RAS reports"));
}

/// Returns which ranks are behind in a process group: `; rank 2 has not called number 411`. Empty if none is.
std::string recorded_lag_text(const RecordedGroup& group) {
  const RecordedLag lag = lag_of(group);
  std::vector<int> ranks;
  for (const FlightRecord* record : lag.behind) ranks.push_back(record->global_rank);
  if (ranks.empty()) return {};
  return concat("; ", ranks_text(ranks), ranks.size() == 1 ? " has" : " have", " not called number ", lag.sequence);
}

/// Returns `: 4 ranks`, or `: dumps of 3 of 4 ranks show it` if the dumps tell that the group has more ranks.
std::string recorded_ranks_text(const RecordedGroup& group) {
  const int nranks = group.ranks.front()->nranks, shown = static_cast<int>(group.ranks.size());
  if (shown >= nranks) return count_text(group.ranks.size(), "rank");
  return concat("dumps of ", shown, " of ", nranks, " ranks show it");
}

/// Returns how far the ranks came: `, collectives up to 411 enqueued, up to 410 completed by all`.
std::string recorded_progress_text(const RecordedGroup& group) {
  std::optional<std::int64_t> least;
  std::int64_t most = -1;
  int shown = 0;
  for (const FlightRecord* record : group.ranks) {
    if (record->enqueued < 0) continue;
    ++shown;
    least = std::min(least.value_or(record->completed), record->completed);
    most = std::max(most, record->enqueued);
  }
  if (!least) return ", sends and receives only";
  return concat(", collectives up to ", most, " enqueued, ", *least < 0 ? "none" : concat("up to ", *least),
                " completed by all", shown == group.ranks.front()->nranks ? "" : " whose dumps show it",
                recorded_lag_text(group));
}

void describe_flights(const Model& model, std::vector<std::string>& lines) {
  const std::vector<RecordedGroup> groups = recorded_groups(model);
  for (const RecordedGroup& group : groups) {
    if (&group - groups.data() == max_lines) break;
    lines.push_back(concat("flight recorder, process group ", excerpt(group.name, max_text), ": ",
                           recorded_ranks_text(group), recorded_progress_text(group)));
  }
  if (groups.size() > max_lines) lines.push_back(concat("and ", groups.size() - max_lines, " more process groups"));
  const auto is_nameless = [](const FlightRecord& one) { return one.global_rank < 0; };
  if (std::ranges::any_of(model.flight_records, is_nameless))
    lines.emplace_back("flight recorder: dumps whose names do not end in the number of their rank are not compared");
}

void describe_inspected(const Model& model, std::vector<std::string>& lines) {
  struct Group {
    const InspectedRank* first = nullptr;
    std::set<int> ranks;
    std::int64_t least = -1, most = -1;
  };
  std::map<std::pair<std::uint64_t, std::string_view>, Group> groups;
  for (const InspectedRank& one : model.inspected) {
    Group& group = groups[{one.comm_id, one.operation.view()}];
    if (group.first == nullptr) group.first = &one;
    group.ranks.insert(one.rank);
    group.least = group.least < 0 ? one.last : std::min(group.least, one.last);
    group.most = std::max(group.most, one.last);
  }
  std::size_t shown = 0;
  for (const auto& [key, group] : groups) {
    if (++shown > max_lines) break;
    const std::string name = group.first->comm_name.empty() ? concat("0x", to_hex(key.first)) : group.first->comm_name;
    lines.push_back(concat("NCCL Inspector, communicator ", excerpt(name, max_text), ": ", group.ranks.size(), " of ",
                           group.first->nranks, " ranks completed ", excerpt(key.second, max_text), " number ",
                           group.most, group.least < group.most ? concat(", all of them ", group.least) : ""));
  }
  if (shown > max_lines) lines.push_back(concat("and ", groups.size() - max_lines, " more of the NCCL Inspector"));
}

}  // namespace

std::vector<std::string> describe_recordings(const Model& model) {
  std::vector<std::string> lines;
  describe_ras(model, lines);
  describe_flights(model, lines);
  describe_inspected(model, lines);
  return lines;
}

}  // namespace nccl_analyze
