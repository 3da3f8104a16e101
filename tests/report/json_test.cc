// Tests the JSON report of a model built by hand.

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "catch.h"
#include "nccl_analyze/report.h"
#include "report_models.h"

namespace nccl_analyze::test {
namespace {

using Json = nlohmann::json;

std::string json_text(const Model& model, const Report& report) {
  std::ostringstream out;
  write_json(out, model, report);
  return out.str();
}

}  // namespace

TEST_CASE("JSON: JSON has the facts of the model under the keys of its schema") {
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
  CHECK(finding["fix"] == fault.words->fix);
  CHECK(finding["ranks"] == "0");
  CHECK(finding["hosts"] == Json::parse(R"(["worker-0"])"));
  CHECK(finding["evidence"][0]["text"] == "worker-0:152:152 [0] NCCL WARN it failed");
  CHECK(finding["evidence_count"] == 7);
  CHECK(contains(written, "\n        {\"channel\": 0, \"connection\": 0, \"from\": 0, \"to\": 1, "));
}

TEST_CASE("JSON: JSON of an empty model has every key") {
  const Json json = Json::parse(json_text({}, {}));
  CHECK(json["input"]["nccl_lines"] == 0);
  CHECK(json["input"]["coverage"].is_null());
  for (const char* list : {"processes", "communicators", "ambiguities", "findings", "not_evaluated", "checks"})
    CHECK(json[list] == Json::array());
}

TEST_CASE("JSON: JSON lists absent ranks only where their number is known and sane") {
  Model model = small_model();
  model.communicators[0].nranks = -1;
  CHECK(Json::parse(json_text(model, {}))["communicators"][0]["ranks_without_log"].is_null());
  model.communicators[0].nranks = 2'000'000'000;
  CHECK(Json::parse(json_text(model, {}))["communicators"][0]["ranks_without_log"].is_null());
  model.communicators[0].nranks = 120'000;
  CHECK(Json::parse(json_text(model, {}))["communicators"][0]["ranks_without_log"].size() == 119'999);
}

}  // namespace nccl_analyze::test
