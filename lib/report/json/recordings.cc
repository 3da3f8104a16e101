// Writes reports of RAS, flight recorders and the NCCL Inspector.

#include "report/json/tools.h"

namespace nccl_analyze {
namespace {

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
