// Tests events as JSON lines.

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "catch.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/report.h"
#include "report_models.h"

namespace nccl_analyze::test {
namespace {

using Json = nlohmann::json;

std::string event_line(const Record& record) {
  std::ostringstream out;
  write_event(out, record);
  return out.str();
}

}  // namespace

TEST_CASE("events: events are flat, and no key comes twice") {
  ChannelConnected connected;
  connected.channel = 1;
  connected.from_dev = "0";
  connected.transport = "NET";
  connected.device = 3;
  Record record;
  record.at = line(27);
  record.origin.host = "worker-0";
  record.origin.pid = 152;
  record.message = "Channel 01/0 : ...";
  record.event = connected;
  const std::string written = event_line(record);
  CHECK(
      written.starts_with("{\"event\": \"channel_connected\", \"source\": 0, \"line\": 27, \"host\": \"worker-0\", "
                          "\"pid\": 152, \"tid\": null, \"device\": null, \"level\": \"info\", \"channel\": 1, "));
  CHECK(written.ends_with("\"message\": \"Channel 01/0 : ...\"}\n"));
  CHECK(!contains(written, "timestamp"));
  CHECK(Json::parse(written)["event_device"] == 3);

  ErrorPropagated trail;
  trail.line = 12;
  record.event = trail;
  std::multiset<std::string> keys;
  const auto count_keys = [&keys](int depth, Json::parse_event_t kind, Json& value) {
    if (depth == 1 && kind == Json::parse_event_t::key) keys.insert(value.get<std::string>());
    return true;
  };
  CHECK(Json::parse(event_line(record), count_keys)["event_line"] == 12);
  for (const std::string& key : keys) CHECK(keys.count(key) == 1);
}

TEST_CASE("events: events hold sequences and hexadecimal numbers") {
  Record record;
  record.origin.timestamp = "2025-12-28 16:04:25";
  RingListed ring;
  ring.ranks = RankList{"0  1  2 ..."};
  record.event = ring;
  Json json = Json::parse(event_line(record));
  CHECK(json["ranks"] == Json::parse("[0, 1, 2]"));
  CHECK(json["ranks_truncated"] == true);
  CHECK(json["timestamp"] == "2025-12-28 16:04:25");
  CHECK(json["host"].is_null());

  record.event = TreesBuilt{TreeList{"[0] 2/-1/-1->0->-1 [1] -1/-1/-1->0->1"}};
  json = Json::parse(event_line(record));
  CHECK(json["trees"][1] == Json::parse(R"({"channel": 1, "rank": 0, "up": 1, "down": [-1, -1, -1]})"));

  record.event = CollnetChainsBuilt{true, ChainList{" [0] -1->0->1"}};
  json = Json::parse(event_line(record));
  CHECK(json["connected"] == true);
  CHECK(json["chains"] == Json::parse(R"([{"channel": 0, "down": -1, "rank": 0, "up": 1}])"));

  CommDestroyed destroyed;
  destroyed.bus_id = Hex{0x36000};
  record.event = destroyed;
  CHECK(Json::parse(event_line(record))["bus_id"] == "0x36000");
}

}  // namespace nccl_analyze::test
