// Writes the `summary` format: one line for each origin and each record, so that summaries can be written, merged and
// read as streams.

#include <cstddef>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>

#include "model/summary/summary_parts.h"
#include "nccl_analyze/model.h"
#include "text/json_writer.h"
#include "text/rune.h"

namespace nccl_analyze {

namespace {

/// Writes text without loss. JSON cannot hold bytes that are not UTF-8, therefore such text is written as code points
/// with the values of its bytes.
void write_bytes(JsonWriter& json, std::string_view text) {
  if (is_utf8(text)) return json.value(text);
  std::string points;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) points += static_cast<char>(0xC0U | byte >> 6U);
    points += byte >= 0x80 ? static_cast<char>(0x80U | (byte & 0x3FU)) : c;
  }
  json.begin_object(Layout::line);
  json.member("latin1", points);
  json.end();
}

void write_member(JsonWriter& json, std::string_view name, std::string_view text) {
  json.key(name);
  write_bytes(json, text);
}

/// Writes a SummaryWriter and the inputs that it could not read.
void write_writer(std::ostream& out, const SummaryWriter& writer, const std::set<std::string>& left_out) {
  JsonWriter json(out);
  json.begin_object(Layout::line);
  json.begin_object("writer");
  for (const auto& [name, text] : {std::pair{"job", writer.job}, std::pair{"step", writer.step},
                                   std::pair{"node", writer.node}, std::pair{"tool", writer.tool}})
    if (!text.empty()) write_member(json, name, text);
  json.end();
  if (!left_out.empty()) {
    json.begin_array("left_out");
    for (const std::string& sentence : left_out) write_bytes(json, sentence);
    json.end();
  }
  json.end();
  json.finish();
}

/// The positions of writers in the list that precedes the pieces.
using Places = std::map<SummaryWriter, std::size_t>;

/// Writes the runs of lines as [first, place, step]; nothing if there are none.
void write_places(JsonWriter& json, const LinePlaces& places) {
  if (places.runs().empty()) return;
  json.begin_array("places");
  for (const LineRun& run : places.runs()) {
    json.begin_array();
    json.value(run.first);
    json.value(run.place);
    json.value(run.step);
    json.end();
  }
  json.end();
}

/// Writes the number of lines of other tools' output, and the runs of these lines as pairs.
void write_documents(JsonWriter& json, const ParseStats& stats) {
  if (stats.document_lines == 0) return;
  json.member("document_lines", stats.document_lines);
  json.begin_array("documents");
  for (const ToolLines& run : stats.documents) {
    json.value(run.first);
    json.value(run.last);
  }
  json.end();
}

void write_piece_head(std::ostream& out, const SummaryHead& piece, const std::set<SummaryWriter>& writers,
                      const Places& places) {
  JsonWriter json(out);
  json.begin_object(Layout::line);
  json.key("piece");
  write_bytes(json, piece.name);
  if (!writers.empty()) {
    json.begin_array("writers");
    for (const SummaryWriter& writer : writers) json.value(places.at(writer));
    json.end();
  }
  json.member("lines_before", piece.lines_before);
  for (const auto& [name, count, is_always_written] : counts_of_piece)
    if (is_always_written || piece.stats.*count != 0) json.member(name, piece.stats.*count);
  if (piece.left_out != 0) json.member("left_out", piece.left_out);
  write_places(json, piece.stats.places);
  write_documents(json, piece.stats);
  json.begin_array("damaged");
  for (const std::uint64_t count : piece.stats.damaged) json.value(count);
  json.end();
  json.end();
  json.finish();
}

void write_origin(std::ostream& out, const SummaryOrigin& origin) {
  JsonWriter json(out);
  json.begin_object(Layout::line);
  json.begin_array("origin");
  write_bytes(json, origin.host);
  json.value(origin.pid);
  json.value(origin.tid);
  json.value(origin.device);
  json.value(to_string(origin.level));
  if (origin.before)
    write_bytes(json, *origin.before);
  else
    json.null();
  if (!(origin.pod.empty() && origin.container.empty() && origin.location.empty() && origin.tag.empty())) {
    write_bytes(json, origin.pod);
    write_bytes(json, origin.container);
    write_bytes(json, origin.location);
  }
  if (!origin.tag.empty()) write_bytes(json, origin.tag);
  json.end();
  json.end();
  json.finish();
}

void write_event(JsonWriter& json, const EventText& event) {
  json.begin_object("event");
  json.member("name", event.name.view());
  for (const auto& [name, value] : event.members) write_member(json, name.view(), value.view());
  json.end();
}

void write_rest(JsonWriter& json, const SummaryRest& rest) {
  if (!rest.event.name.empty()) write_event(json, rest.event);
  if (!rest.completed.empty()) write_member(json, "completed", rest.completed);
  if (!rest.text.empty()) write_member(json, "text", rest.text);
  if (!rest.timestamp.empty()) write_member(json, "timestamp", rest.timestamp);
  if (!rest.time.empty()) write_member(json, "time", rest.time);
  if (rest.channels.empty()) return;
  json.begin_array("channels");
  for (const auto& [line, channel] : rest.channels) {
    json.begin_array();
    json.value(line);
    json.value(channel);
    json.end();
  }
  json.end();
}

/// Writes the members that differ from their usual values; nothing if all are usual.
void write_exceptions(JsonWriter& json, const SummaryRecord& record) {
  const bool late = record.read_at() != record.line;
  if (record.times == 1 && record.damage == Damage::none && record.read_as == ReadAs::row && !record.rest) return;
  json.begin_object(Layout::line);
  if (late) json.member("read_at", record.read_at());
  if (record.times != 1) json.member("times", record.times);
  if (record.damage != Damage::none) json.member("damage", to_string(record.damage));
  if (record.read_as != ReadAs::row) json.member("read_as", to_string(record.read_as));
  if (record.rest) write_rest(json, *record.rest);
  json.end();
}

void write_record(std::ostream& out, const SummaryRecord& record) {
  JsonWriter json(out);
  json.begin_array(Layout::line);
  json.value(record.line);
  json.value(record.origin);
  write_bytes(json, record.message);
  write_exceptions(json, record);
  json.end();
  json.finish();
}

}  // namespace

void write_summary(std::ostream& out, const Summary& summary) {
  JsonWriter head(out);
  head.begin_object(Layout::line);
  head.member("schema", std::string_view{"nccl-analyze.summary"});
  head.member("version", 3);
  head.member("tool", version());
  head.end();
  head.finish();
  Places places;
  for (const auto& [writer, left_out] : SummaryParts::writers_of(summary)) {
    write_writer(out, writer, left_out);
    places.emplace(writer, places.size());
  }
  for (const auto& [packed, writers] : SummaryParts::of(summary)) {
    write_piece_head(out, packed.head, writers, places);
    const SummaryPiece piece = unpack(packed);
    for (const SummaryOrigin& origin : piece.origins) write_origin(out, origin);
    for (const SummaryRecord& record : piece.records) write_record(out, record);
  }
  JsonWriter end(out);
  end.begin_object(Layout::line);
  end.member("pieces", SummaryParts::of(summary).size());
  end.end();
  end.finish();
}

}  // namespace nccl_analyze
