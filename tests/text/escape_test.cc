// Tests that the bytes of a log are safe in every format, however hostile.

#include "text/escape.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "catch.h"
#include "nccl_analyze/report.h"
#include "report_models.h"

namespace nccl_analyze::test {
namespace {

using Json = nlohmann::json;

std::string json_of(const Model& model, const Report& report) {
  std::ostringstream out;
  write_json(out, model, report);
  return out.str();
}

std::string text(const Model& model, const Report& report, const TextOptions& options = {}) {
  std::ostringstream out;
  write_text(out, model, report, options);
  return out.str();
}

std::string dot(const Model& model) {
  std::ostringstream out;
  write_dot(out, model, Report{});
  return out.str();
}

}  // namespace

TEST_CASE("escape: JSON strings survive any byte") {
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

TEST_CASE("escape: control characters, invisible ones and broken UTF-8 are written as escapes") {
  CHECK(visible("plain \\ \"text\"") == "plain \\ \"text\"");
  CHECK(visible("\x1b[31m\t\xff\xe2\x80\xae"
                "é") ==
        "\\x1b[31m\\x09\\xff\\u202e"
        "é");
  CHECK(visible("\xc0\xaf\xed\xa0\x80\xf5") == "\\xc0\\xaf\\xed\\xa0\\x80\\xf5");
  CHECK(visible("\xe2\x82") == "\\xe2\\x82");
  CHECK(dot_text("\\N&#27;\"") == "\\\\N\\\\x26#27;\"");
  CHECK(truncated("äöü", 3) == "äöü");
  CHECK(truncated("äöüß", 3) == "äöü...");
  CHECK(to_hex(0) == "0");
  CHECK(to_hex(0xbc42413ad5ab3a45) == "bc42413ad5ab3a45");
}

TEST_CASE("escape: hostile text stays text") {
  Model model = small_model(hostile);
  model.processes[0].pod = model.processes[0].network = hostile;
  model.processes[0].env[hostile] = {hostile, line(1)};
  model.sources[0].name = hostile;
  model.quotes[0].text = model.unrecognized[0].text = hostile;
  model.communicators[0].transports[0] = "NET/" + hostile;
  Report report = small_report();
  report.findings[0].message = report.findings[0].fix = hostile;
  report.checks[0].detail = report.not_evaluated[0].reason = hostile;

  const std::string json = json_of(model, report);
  CHECK(!has_controls(json));
  CHECK_NOTHROW(Json::parse(json));
  CHECK(!has_controls(text(model, report, {.color = false, .verbose = true})));
  const std::string graph = dot(model);
  CHECK(!has_controls(graph));
  CHECK(contains(graph, "\\\\x1b[31m\\\"\\\\N\\\\G"));
  for (auto at = graph.find('&'); at != std::string::npos; at = graph.find('&', at + 1))
    CHECK((graph.substr(at).starts_with("&lt;") || graph.substr(at).starts_with("&gt;") ||
           graph.substr(at).starts_with("&quot;")));
}

}  // namespace nccl_analyze::test
