// The JSON writers, on a model built by hand: the contract's keys, absent knowledge, and any bytes.

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "catch.h"
#include "nccl_analyze/export.h"
#include "nccl_analyze/parser.h"
#include "report/escape.h"
#include "report/json_writer.h"
#include "report_models.h"

namespace nccl_analyze {
namespace {

using namespace test;
using Json = nlohmann::json;

std::string json_text(const Model& model, const Report& report) {
  std::ostringstream out;
  write_json(out, model, report);
  return out.str();
}

std::string event_line(const Record& record) {
  std::ostringstream out;
  write_event(out, record);
  return out.str();
}

}  // namespace

TEST_CASE("report: JSON strings survive any byte") {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      std::string quoted;
      append_json_string(quoted, std::string{static_cast<char>(first), static_cast<char>(second)});
      REQUIRE_NOTHROW(Json::parse(quoted));
      REQUIRE(!has_controls(quoted));
    }
  }
  std::string quoted;
  append_json_string(quoted, "a\n\x1b\"\\\xff");
  CHECK(quoted == "\"a\\n\\u001b\\\"\\\\\xEF\xBF\xBD\"");
}

TEST_CASE("report: the JSON writer lays out blocks and lines") {
  std::ostringstream out;
  JsonWriter json{out};
  json.begin_object();
  json.member("a", 0.1);
  json.begin_array("none");
  json.end();
  json.begin_object("row", Layout::line);
  json.member("b", true);
  json.begin_array("c");
  json.value(std::int16_t{1});
  json.value(known(-1));
  json.end();
  json.member("d", known(Hex{0}));
  json.member("e", Hex{27});
  json.end();
  json.end();
  json.finish();
  CHECK(out.str() ==
        "{\n  \"a\": 0.1,\n  \"none\": [],\n  \"row\": {\"b\": true, \"c\": [1, null], \"d\": null, \"e\": "
        "\"0x1b\"}\n}\n");
}

TEST_CASE("report: JSON has the facts of the model under the keys of its schema") {
  const std::string written = json_text(small_model(), small_report());
  const Json json = Json::parse(written);
  CHECK(json["schema"] == "nccl-analyze.report");
  CHECK(json["version"] == 1);
  CHECK(json["tool"]["version"] == version());
  CHECK(json["input"]["coverage"] == 0.75);
  CHECK(json["input"]["unrecognized_samples"][0]["line"] == 7);

  const Json& process = json["processes"][0];
  CHECK(process["driver"] == "13000");
  CHECK(process["pod"].is_null());
  CHECK(process["bootstrap"]["interface"] == "eth0");
  CHECK(process["env"]["NCCL_SOCKET_IFNAME"] == "^docker0,lo");

  const Json& communicator = json["communicators"][0];
  CHECK(communicator["comm_id"] == "0xbc42413ad5ab3a45");
  CHECK(communicator["parent"].is_null());
  CHECK(communicator["ranks_without_log"] == Json::parse("[1, 2, 3]"));
  CHECK(communicator["rings"][0]["order"] == Json::parse("[0, 1, 2, 3]"));
  CHECK(communicator["trees"][0]["links"] == Json::parse("[[0, 2], [2, 1]]"));
  CHECK(communicator["transports"] == Json::parse(R"({"NET/Socket": 2})"));
  CHECK(communicator["ranks"][0]["bus_id"] == "36000");
  CHECK(communicator["ranks"][0]["comm"] == "0x562b2c1973d0");
  CHECK(communicator["ranks"][0]["nvml_dev"].is_null());
  CHECK(communicator["ranks"][0]["bootstrap_seconds"]["recv"] == 59.819732);
  CHECK(communicator["ranks"][0]["init_seconds"].is_null());
  CHECK(communicator["connections"][0]["seen"] == Json::parse(R"(["receive"])"));
  CHECK(communicator["connections"][0]["proxy_rank"].is_null());

  const Json& finding = json["findings"][0];
  CHECK(finding["rule"] == "NCA301");
  CHECK(finding["fix"] == fault.fix);
  CHECK(finding["ranks"] == "0");
  CHECK(finding["hosts"] == Json::parse(R"(["worker-0"])"));
  CHECK(finding["evidence"][0]["text"] == "worker-0:152:152 [0] NCCL WARN it failed");
  CHECK(finding["evidence_count"] == 7);
  CHECK(contains(written, "\n        {\"channel\": 0, \"connection\": 0, \"from\": 0, \"to\": 1, "));
}

TEST_CASE("report: JSON of an empty model has every key") {
  const Json json = Json::parse(json_text({}, {}));
  CHECK(json["input"]["nccl_lines"] == 0);
  CHECK(json["input"]["coverage"].is_null());
  for (const char* list : {"processes", "communicators", "ambiguities", "findings", "not_evaluated", "checks"})
    CHECK(json[list] == Json::array());
}

TEST_CASE("report: JSON lists absent ranks only where their number is known and sane") {
  Model model = small_model();
  model.communicators[0].nranks = -1;
  CHECK(Json::parse(json_text(model, {}))["communicators"][0]["ranks_without_log"].is_null());
  model.communicators[0].nranks = 2'000'000'000;
  CHECK(Json::parse(json_text(model, {}))["communicators"][0]["ranks_without_log"].is_null());
  model.communicators[0].nranks = 120'000;
  CHECK(Json::parse(json_text(model, {}))["communicators"][0]["ranks_without_log"].size() == 119'999);
}

TEST_CASE("report: events are flat, and no key comes twice") {
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

TEST_CASE("report: events hold sequences and hexadecimal numbers") {
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

}  // namespace nccl_analyze
