// A JSON report gives the facts of the logs after it, and no text breaks the reader.

#include <random>
#include <string>

#include "catch.h"
#include "compare/report_json.h"
#include "compare/runs.h"
#include "queries/members/communicator.h"
#include "queries/members/host.h"
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

TEST_CASE("compare: an object is read by the table of its members") {
  const auto nic = object_of<HostNic>(Json::parse(R"({"name": "mlx5_0", "device": 3, "gdr": false, "port": null,
                                                      "bandwidth": 48.5, "bus_id": "c7000", "speed": 400000})"));
  CHECK(nic.name == "mlx5_0");
  CHECK(nic.index == 3);
  CHECK(nic.gdr == 0);
  CHECK(nic.port == -1);
  CHECK(nic.bandwidth == 48.5);
  CHECK(nic.bus_id == 0xc7000);
  CHECK(nic.network.empty());
  const auto rank = object_of<Rank>(Json::parse(R"({"state": "failed", "connected": ["rings", "trees"],
                                                    "init_seconds": {"total": 2.5}, "process": 7, "bus_id": "1b000"})"));
  CHECK(rank.state == RankState::failed);
  CHECK((rank.has(Algorithm::rings) && rank.has(Algorithm::trees) && !rank.has(Algorithm::nvls_tree)));
  CHECK(rank.init_seconds->total == 2.5);
  CHECK(rank.process == -1);  // the reader checks references by itself
  CHECK_FALSE(rank.stamped_seconds);
}

TEST_CASE("compare: a value that is none of its kind is not known") {
  const auto rank =
      object_of<Rank>(Json::parse(R"({"rank": "0", "cuda_dev": -2, "nvml_dev": 1e3, "channels": 2147483648,
                                                    "nvls_head": 40000, "state": "idle", "connected": [1, "hexagons"],
                                                    "init_seconds": [1]})"));
  CHECK(rank.rank == -1);
  CHECK(rank.cuda_dev == -1);
  CHECK(rank.nvml_dev == -1);
  CHECK(rank.channels == -1);
  CHECK(rank.nvls_head == -1);
  CHECK(rank.state == RankState::started);
  CHECK(rank.connected == 0);
  CHECK_FALSE(rank.init_seconds);
  const auto ring = object_of<Ring>(Json::parse(R"({"order": [0, -1, "2", 3], "complete": 1})"));
  CHECK(std::vector<int>(ring.order.begin(), ring.order.end()) == std::vector<int>{0, -1, -1, 3});
  CHECK_FALSE(ring.complete);
  CHECK(object_of<Host>(Json::parse(R"({"gpus": 3, "nics": [null, {"name": 5}]})")).nics.size() == 2);
  CHECK(object_of<Host>(Json::parse("[]")).name.empty());
}

}  // namespace nccl_analyze::test
