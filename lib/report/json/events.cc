// The `events` format: one JSON object for each record, on a line of its own.

#include <algorithm>
#include <array>

#include "nccl_analyze/parser.h"
#include "nccl_analyze/report.h"
#include "text/json_writer.h"

namespace nccl_analyze {
namespace {

/// Keys of the members that every line may have. A field of an event whose key is among these is written as
/// `event_<key>`; for example, the `device` of a connection, which is a NIC, becomes `event_device`.
constexpr std::array<std::string_view, 15> common_keys{"event", "source",    "line",  "host",     "pid",
                                                       "tid",   "device",    "level", "damage",   "timestamp",
                                                       "pod",   "container", "time",  "location", "message"};

void write_key(JsonWriter& json, std::string_view name) {
  const bool taken = std::find(common_keys.begin(), common_keys.end(), name) != common_keys.end();
  json.key(taken ? "event_" + std::string{name} : std::string{name});
}

template <class T>
void write_field(JsonWriter& json, std::string_view name, const T& content) {
  write_key(json, name);
  json.value(content);
}

void write_field(JsonWriter& json, std::string_view name, RankList ranks) {
  const bool truncated = ranks.truncated();
  write_key(json, name);
  json.begin_array();
  for (int rank = 0; ranks.next(rank);) json.value(rank);
  json.end();
  if (truncated) json.member(std::string{name} + "_truncated", true);
}

void write_field(JsonWriter& json, std::string_view name, TreeList trees) {
  write_key(json, name);
  json.begin_array();
  for (TreeLink link; trees.next(link);) {
    json.begin_object();
    json.member("channel", link.channel);
    json.member("rank", link.rank);
    json.member("up", link.up);
    json.begin_array("down");
    for (const int down : link.down) json.value(down);
    json.end();
    json.end();
  }
  json.end();
}

void write_field(JsonWriter& json, std::string_view name, ChainList chains) {
  write_key(json, name);
  json.begin_array();
  for (ChainLink link; chains.next(link);) {
    json.begin_object();
    json.member("channel", link.channel);
    json.member("down", link.down);
    json.member("rank", link.rank);
    json.member("up", link.up);
    json.end();
  }
  json.end();
}

void write_field(JsonWriter& json, std::string_view name, NicList nics) {
  write_key(json, name);
  json.begin_array();
  for (Nic nic; nics.next(nic);) {
    json.begin_object();
    json.member("index", nic.index);
    json.member("device", nic.device);
    json.member("port", nic.port);
    json.member("link", nic.link);
    json.end();
  }
  json.end();
}

void write_field(JsonWriter& json, std::string_view name, InterfaceList interfaces) {
  write_key(json, name);
  json.begin_array();
  for (NetworkInterface one; interfaces.next(one);) {
    json.begin_object();
    json.member("index", one.index);
    json.member("name", one.name);
    json.member("address", one.address);
    json.end();
  }
  json.end();
}

void write_node(JsonWriter& json, const TopologyNode& node) {
  json.member("type", node.type);
  write_field(json, "system", node.system);
  write_field(json, "id", node.id);
}

void write_field(JsonWriter& json, std::string_view name, NodeList nodes) {
  write_key(json, name);
  json.begin_array();
  for (TopologyNode node; nodes.next(node);) {
    json.begin_object();
    write_node(json, node);
    json.end();
  }
  json.end();
}

void write_field(JsonWriter& json, std::string_view name, PathList paths) {
  write_key(json, name);
  json.begin_array();
  for (TopologyPath path; paths.next(path);) {
    json.begin_object();
    write_node(json, path.to);
    json.member("hops", path.hops);
    json.member("bandwidth", path.bandwidth);
    json.member("link", path.link);
    json.end();
  }
  json.end();
}

void write_field(JsonWriter& json, std::string_view name, PartList parts) {
  write_key(json, name);
  json.begin_array();
  for (std::string_view part; parts.next(part);) json.value(part);
  json.end();
}

void write_origin(JsonWriter& json, const Origin& origin) {
  json.member("host", known(origin.host));
  json.member("pid", known(origin.pid));
  json.member("tid", known(origin.tid));
  json.member("device", known(origin.device));
}

void write_member_if(JsonWriter& json, std::string_view name, std::string_view text) {
  if (!text.empty()) json.member(name, text);
}

}  // namespace

void write_event(std::ostream& out, const Record& record) {
  JsonWriter json{out};
  json.begin_object(Layout::line);
  json.member("event", event_name(record.event));
  json.member("source", static_cast<std::uint32_t>(record.at.source));
  json.member("line", record.at.line);
  write_origin(json, record.origin);
  json.member("level", to_string(record.level));
  if (record.damage != Damage::none) json.member("damage", to_string(record.damage));
  write_member_if(json, "timestamp", record.origin.timestamp);
  write_member_if(json, "pod", record.origin.pod);
  write_member_if(json, "container", record.origin.container);
  write_member_if(json, "time", collected_at(record.origin));
  write_member_if(json, "location", record.origin.location);
  const void* const event = address_of(record.event);
  for (const Field& field : fields_in(record.event))
    field.visit(event, [&](const auto& member) { write_field(json, field.name, member); });
  json.member("message", record.message);
  json.end();
  json.finish();
}

}  // namespace nccl_analyze
