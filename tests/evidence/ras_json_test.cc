// Tests that reports of `ncclras -f json` become facts that rules use, and that damaged reports do no harm.

#include <string>

#include "evidence/evidence_models.h"

namespace nccl_analyze::evidence {
namespace {

std::string rank(int number, int all_reduce, int all_gather = 5, int error = 0) {
  return R"({"rank":)" + std::to_string(number) + R"(,"host":"10.0.4.50","pid":)" + std::to_string(4700 + number) +
         R"(,"cuda_dev":0,"nvml_dev":0,"status":{"init_state":0,"async_error":)" + std::to_string(error) +
         R"(,"finalize_called":false,"destroy_flag":false,"abort_flag":false},)" + "\n" +
         R"("collective_counts":{"Broadcast":0,"Reduce":0,"AllGather":)" + std::to_string(all_gather) +
         R"(,"ReduceScatter":0,"AllReduce":)" + std::to_string(all_reduce) + "}}";
}

std::string missing(int number, bool unresponsive, bool dead) {
  return R"({"rank":)" + std::to_string(number) + R"(,"host":"10.0.4.51","pid":)" + std::to_string(4700 + number) +
         R"(,"cuda_dev":0,"nvml_dev":0,"status":{"unresponsive":)" + (unresponsive ? "true" : "false") +
         R"(,"considered_dead":)" + (dead ? "true" : "false") + "}}";
}

std::string report(const std::string& ranks, const std::string& lost = "", const std::string& time = "10:00:00",
                   const std::string& size = "4") {
  return R"({"nccl_version":"2.28.9+cuda13.0","cuda_runtime_version":13000,"timestamp":"2026-01-31 )" + time +
         R"(","communicators_count":1,"communicators":[)" + "\n" +
         R"({"hash":"0xabc","secondary_hash":"0x1:0x2","size":)" + size +
         R"(,"ranks_count":4,"missing_ranks_count":0,"ranks":[)" + "\n" + ranks + R"(],"missing_ranks":[)" + lost +
         R"(]}],"ras":{"collection_time_sec":0.004,"timeouts_count":0}})" + "\n";
}

std::string ranks(int third) { return rank(0, 640) + "," + rank(1, 640) + "," + rank(2, third) + "," + rank(3, 640); }

}  // namespace

TEST_CASE("evidence: a RAS report names the rank that is behind") {
  const Model model = model_of({{"ras.json", report(ranks(639))}});
  REQUIRE(model.ras_reports.size() == 1);
  CHECK(model.ras_reports[0].version == "2.28.9+cuda13.0");
  CHECK(model.ras_reports[0].time == "2026-01-31 10:00:00");
  REQUIRE(model.ras_reports[0].communicators.size() == 1);
  const RasCommunicator& comm = model.ras_reports[0].communicators[0];
  CHECK(comm.comm_id == 0xabc);
  CHECK(comm.at.line == 2);
  REQUIRE(comm.counts.size() == 2);
  CHECK(comm.counts[1].operation == "AllReduce");
  REQUIRE(comm.counts[1].listed.size() == 1);
  CHECK(comm.counts[1].listed[0].rank == 2);
  CHECK(comm.counts[1].listed[0].launched == 639);
  const auto found = findings_of(model, "straggler");
  REQUIRE(found.size() == 1);
  CHECK(found[0].ranks == std::vector{2});
  CHECK(found[0].severity() == Severity::warning);
  CHECK(found[0].is_provisional());
  REQUIRE(found[0].suspects.size() == 1);
  CHECK(found[0].suspects[0].rank == 2);
  CHECK(model.has_tool_output());
}

TEST_CASE("evidence: a RAS report is the same in any pieces, and in one line") {
  check_same_report({{"ras.json", report(ranks(639), missing(3, true, false))}});
  std::string line = report(ranks(639));
  std::erase(line, '\n');
  const Model model = model_of({{"log", "a line\n" + line + "\n" + line + "\n"}});
  REQUIRE(model.ras_reports.size() == 2);
  CHECK(model.ras_reports[1].at.line == 3);
  CHECK(findings_of(model, "straggler").size() == 1);
}

TEST_CASE("evidence: reports of RAS that were appended to one file are read with their lines") {
  const auto spread = [](std::string text) {  // the braces of the outermost object stand alone, as NCCL prints them
    text.insert(1, "\n");
    return text.insert(text.rfind('}'), "\n");
  };
  const std::string both = spread(report(ranks(639))) + spread(report(ranks(639), "", "10:01:00"));
  const Model model = model_of({{"ras.json", both}});
  REQUIRE(model.ras_reports.size() == 2);
  CHECK(model.ras_reports[0].at.line == 2);
  CHECK(model.ras_reports[0].communicators[0].at.line == 3);
  CHECK(model.ras_reports[1].at.line == 11);
  CHECK(model.ras_reports[1].communicators[0].at.line == 12);
  const auto found = findings_of(model, "straggler");
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity() == Severity::error);
  check_same_report({{"ras.json", both}});
}

TEST_CASE("evidence: equal counts, and ranks that go on, are no finding") {
  CHECK(analyze(model_of({{"ras.json", report(ranks(640))}})).findings.empty());
  const Model moving = model_of(
      {{"1", report(ranks(639))},
       {"2", report(rank(0, 700) + "," + rank(1, 700) + "," + rank(2, 699) + "," + rank(3, 700), "", "10:01:00")}});
  CHECK(analyze(moving).findings.empty());
  const Model frozen = model_of({{"1", report(ranks(639))}, {"2", report(ranks(639), "", "10:01:00")}});
  const auto found = findings_of(frozen, "straggler");
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity() == Severity::error);
}

TEST_CASE("evidence: a rank with more of one operation and less of another calls other collectives") {
  const std::string others = rank(0, 640) + "," + rank(1, 640) + "," + rank(3, 640) + ",";
  CHECK(findings_of(model_of({{"ras", report(others + rank(2, 630, 15))}}), "collective-mismatch").size() == 1);
  // Read while the rank counted.
  CHECK(findings_of(model_of({{"ras", report(others + rank(2, 639, 6))}}), "collective-mismatch").empty());
}

TEST_CASE("evidence: lost ranks and asynchronous errors of a RAS report") {
  const std::string two = rank(0, 640) + "," + rank(1, 640, 5, 6);
  const Model model = model_of({{"ras", report(two, missing(2, true, true) + "," + missing(3, false, false))}});
  const auto died = findings_of(model, "process-died");
  REQUIRE(died.size() == 1);
  CHECK(died[0].ranks == std::vector{2});
  REQUIRE(model.incidents.size() == 1);
  CHECK(model.incidents[0].rank == 1);
  CHECK(model.incidents[0].error == "remote process exited or there was a network error");
}

TEST_CASE("evidence: numbers of a damaged RAS report are refused") {
  const std::string wild = rank(-1, 5) + "," + rank(4, 5) + "," + rank(0, 640) + "," + rank(0, 3) + "," + rank(1, 640) +
                           R"(,{"rank":1e300},{"rank":"x"},null,7,{"rank":2,"collective_counts":{"AllReduce":-4,)"
                           R"("A b":18446744073709551615,"":1}})";
  const Model model = model_of({{"ras", report(wild)}});
  REQUIRE(model.ras_reports.size() == 1);
  for (const RasOpCounts& counts : model.ras_reports[0].communicators[0].counts)
    for (const RasOpCounts::Listed& listed : counts.listed) CHECK((listed.rank >= 0 && listed.rank < 4));
  CHECK(model_of({{"ras", report(ranks(1), "", "10:00:00", "-4")}}).ras_reports[0].communicators.empty());
  CHECK(model_of({{"ras", report(ranks(1), "", "10:00:00", "1e99")}}).ras_reports[0].communicators.empty());
  CHECK(model_of({{"ras", report(ranks(1)).substr(0, 400)}}).ras_reports.empty());
  check_same_report({{"ras", report(wild, missing(-3, true, true) + "," + missing(2, true, true))}});
}

}  // namespace nccl_analyze::evidence
