// A JSON report gives the facts of the logs after it, and no text breaks the reader.

#include <random>
#include <string>

#include "catch.h"
#include "compare/runs.h"
#include "testdata.h"

namespace nccl_analyze::test {

TEST_CASE("compare: the report of a run gives the facts of the run", "[slow]") {
  for (const char* kind : {"jobs", "rules", "damaged"}) {
    for (const Case& one : cases(kind)) {
      INFO(one.name);
      Analyzer analyzer;
      for (const auto& log : one.logs) analyzer.feed(log.filename().string(), read_file(log));
      const Analysis analysis = std::move(analyzer).finish();
      std::ostringstream json;
      write_json(json, analysis.model, analysis.report);
      const RunFacts facts = nccl_analyze::facts_of(analysis.model, analysis.report);
      CHECK(compare(facts, facts).same());
      CHECK(compare(facts, facts).not_compared.empty());
      const ReadReport read = read_report(json.str());
      REQUIRE(read.error.empty());
      const RunDiff diff = compare(facts, read.facts);
      CHECK(lines_of(diff) == std::vector<std::string>{});
      CHECK(compare(read.facts, facts).same());
    }
  }
}

TEST_CASE("compare: what is no report is refused in words") {
  CHECK(read_report("").error == "this is no JSON, or a report that was cut off");
  CHECK(read_report("{}").error == "this is no report of nccl-analyze");
  CHECK(read_report(R"({"schema": "nccl-analyze.summary", "version": 1})").error ==
        "this is no report of nccl-analyze");
  CHECK(read_report(R"({"schema": "nccl-analyze.report", "version": 2})").error ==
        "this report has a version that this nccl-analyze does not read");
  CHECK(read_report(R"({"schema": "nccl-analyze.report", "version": 1})").error.empty());
}

TEST_CASE("compare: a report with values of other types is read as far as it goes") {
  const std::string json = json_of(log_of(two_hosts));
  const RunFacts facts = facts_of(log_of(two_hosts));
  std::minstd_rand random(7);
  const std::string tokens[] = {"null", "-1", "[]", "{}", "\"x\"", "1e300", "99999999999999999999", "true"};
  for (int i = 0; i < 300; ++i) {
    std::string bad = json;
    for (int change = 0; change < 4; ++change) {
      const std::size_t colon = bad.find(": ", random() % bad.size());
      if (colon == std::string::npos) continue;
      const std::size_t end = bad.find_first_of(",]}", colon);
      bad.replace(colon + 2, end - colon - 2, tokens[random() % std::size(tokens)]);
    }
    compare(facts, read_report(bad).facts);
  }
  SUCCEED();
}

}  // namespace nccl_analyze::test
