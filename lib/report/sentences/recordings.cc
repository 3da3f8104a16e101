#include "report/sentences/recordings.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "queries/launches.h"
#include "text/escape.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_lines = 8;  // Limit for each kind of recording.
constexpr std::size_t max_text = 60;

std::optional<std::int64_t> known(std::int64_t number) { return number < 0 ? std::nullopt : std::optional{number}; }

/// Returns `640 AllReduce (14 ranks), 639 (rank 12)`; the count that most ranks have comes first.
std::string counts_text(const RasOpCounts& counts) {
  const std::int64_t usual = usual_count(counts);
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

void describe_flights(const Model& model, std::vector<std::string>& lines) {
  struct Group {
    std::set<int> ranks;
    std::int64_t least = -1, most = -1;
  };
  std::map<std::pair<std::string_view, std::string_view>, Group> groups;
  for (const FlightRecord& one : model.flight_records) {
    Group& group = groups[{one.name, one.group}];
    group.ranks.insert(one.global_rank);
    group.least = group.least < 0 ? one.completed : std::min(group.least, one.completed);
    group.most = std::max(group.most, one.enqueued);
  }
  std::size_t shown = 0;
  for (const auto& [name, group] : groups) {
    if (++shown > max_lines) break;
    lines.push_back(concat("flight recorder, process group ", excerpt(name.second, max_text), ": ",
                           count_text(group.ranks.size(), "rank"), ", collectives up to ", group.most,
                           " enqueued, up to ", group.least, " completed by all"));
  }
  if (shown > max_lines) lines.push_back(concat("and ", groups.size() - max_lines, " more process groups"));
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

void write_place(JsonWriter& json, const Model& model, LineRef at) {
  json.member("source", static_cast<std::uint32_t>(at.source));
  json.member("line", model.place_in_source(at));
}

void write_counts(JsonWriter& json, const RasOpCounts& counts) {
  json.begin_object();
  json.member("operation", counts.operation);
  json.begin_array("groups");
  for (const RasOpCounts::Group& group : counts.groups) {
    json.begin_object(Layout::line);
    json.member("launched", group.launched);
    json.member("ranks", group.ranks);
    json.end();
  }
  json.end();
  json.begin_array("listed");
  for (const RasOpCounts::Listed& rank : counts.listed) {
    json.begin_object(Layout::line);
    json.member("rank", rank.rank);
    json.member("launched", rank.launched);
    json.member("pid", known(rank.pid));
    json.member("host", rank.host.view());
    json.end();
  }
  json.end();
  json.end();
}

void write_ras_communicator(JsonWriter& json, const RasCommunicator& comm) {
  json.begin_object();
  json.member("comm_id", Hex{comm.comm_id});
  json.member("nranks", comm.nranks);
  json.member("reported", comm.reported);
  json.member("missing", comm.missing);
  json.begin_array("counts");
  for (const RasOpCounts& counts : comm.counts) write_counts(json, counts);
  json.end();
  json.begin_array("lost");
  for (const RasLostRank& rank : comm.lost) {
    json.begin_object(Layout::line);
    json.member("rank", rank.rank);
    json.member("dead", rank.dead);
    json.member("pid", known(rank.pid));
    json.member("host", rank.host.view());
    json.end();
  }
  json.end();
  json.end();
}

void write_flight(JsonWriter& json, const Model& model, const FlightRecord& one) {
  json.begin_object(Layout::line);
  write_place(json, model, one.at);
  json.member("group", one.name);
  json.member("description", one.group);
  json.member("rank", known(one.global_rank));
  json.member("enqueued", known(one.enqueued));
  json.member("completed", known(one.completed));
  json.member("sequence", known(one.sequence));
  json.member("operation", one.operation);
  json.member("started", one.started);
  json.end();
}

void write_inspected(JsonWriter& json, const Model& model, const InspectedRank& one) {
  json.begin_object(Layout::line);
  write_place(json, model, one.at);
  json.member("comm_id", Hex{one.comm_id});
  json.member("name", one.comm_name);
  json.member("rank", one.rank);
  json.member("nranks", one.nranks);
  json.member("pid", known(one.pid));
  json.member("host", one.host.view());
  json.member("operation", one.operation.view());
  json.member("completed", one.completed);
  json.member("last", one.last);
  json.member("busbw", one.busbw);
  json.end();
}

}  // namespace

std::vector<std::string> describe_recordings(const Model& model) {
  std::vector<std::string> lines;
  describe_ras(model, lines);
  describe_flights(model, lines);
  describe_inspected(model, lines);
  return lines;
}

void write_recordings(JsonWriter& json, const Model& model) {
  if (model.ras_reports.empty() && model.flight_records.empty() && model.inspected.empty()) return;
  json.begin_object("recordings");
  json.begin_array("ras");
  for (const RasReport& report : model.ras_reports) {
    json.begin_object();
    write_place(json, model, report.at);
    json.member("nccl", report.version);
    json.member("time", report.time);
    json.begin_array("communicators");
    for (const RasCommunicator& comm : report.communicators) write_ras_communicator(json, comm);
    json.end();
    json.end();
  }
  json.end();
  json.begin_array("flight_recorder");
  for (const FlightRecord& one : model.flight_records) write_flight(json, model, one);
  json.end();
  json.begin_array("inspector");
  for (const InspectedRank& one : model.inspected) write_inspected(json, model, one);
  json.end();
  json.end();
}

}  // namespace nccl_analyze
