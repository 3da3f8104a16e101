// Tests that JSON of PyTorch's flight recorder becomes records that rules use, one dump for each rank.

#include <string>
#include <vector>

#include "evidence/evidence_models.h"
#include "report/sentences/benchmarks.h"

namespace nccl_analyze::evidence {
namespace {

std::string entry(int sequence, const std::string& operation, const std::string& state, const std::string& sizes) {
  return R"({"record_id":1,"pg_id":0,"process_group":["0","default_pg"],"collective_seq_id":)" +
         std::to_string(sequence) + R"(,"p2p_seq_id":0,"op_id":1,"profiling_name":"nccl:)" + operation +
         R"(","input_sizes":)" + sizes + R"(,"output_sizes":)" + sizes + R"(,"state":")" + state +
         R"(","timeout_ms":600000,"is_p2p":false,"retired":false})";
}

std::string dump(const std::string& entries) {
  return R"({"version":"2.10","pg_config":{"0":{"name":"0","desc":"default_pg","ranks":"[4, 5, 6, 7]"}},"pg_status":{},)"
         "\n"
         R"("entries":[)" +
         entries + "]}";
}

std::string waiting(const std::string& operation = "all_reduce", const std::string& sizes = "[[1024, 4]]") {
  return dump(entry(410, "all_reduce", "completed", "[[8]]") + ",\n" + entry(411, operation, "started", sizes));
}

std::string behind() { return dump(entry(410, "all_reduce", "completed", "[[8]]")); }

std::vector<NamedText> dumps(const std::string& last) {
  return {{"d/comm_lib_trace_rank_4", waiting()},
          {"d/nccl_trace_rank_5.json", waiting()},
          {"d/nccl_trace_rank_6", waiting()},
          {"d/nccl_trace_rank_7_host_1.json", last}};
}

}  // namespace

TEST_CASE("evidence: the flight recorder names the rank that never called a collective") {
  const Model model = model_of(dumps(behind()));
  REQUIRE(model.flight_records.size() == 4);
  const FlightRecord& first = model.flight_records[0];
  CHECK(first.global_rank == 4);
  CHECK(first.rank == 0);
  CHECK(first.name == "0");
  CHECK(first.sequence == 411);
  CHECK(first.operation == "ALLREDUCE");
  CHECK(first.elements_in == 4096);
  CHECK(first.started);
  CHECK(first.at.line == 3);
  CHECK(model.flight_records[3].sequence == -1);
  CHECK(model.flight_records[3].enqueued == 410);
  const auto found = findings_of(model, "straggler");
  REQUIRE(found.size() == 1);
  CHECK(found[0].ranks == std::vector{7});
  check_same_report(dumps(behind()));
}

TEST_CASE("evidence: dumps of ranks at the same collective are no finding") {
  CHECK(analyze(model_of(dumps(waiting()))).findings.empty());
}

TEST_CASE("evidence: another operation or size at the same number is a mismatch") {
  CHECK(findings_of(model_of(dumps(waiting("broadcast"))), "collective-mismatch").size() == 1);
  CHECK(findings_of(model_of(dumps(waiting("all_reduce", "[[7]]"))), "collective-mismatch").size() == 1);
}

TEST_CASE("evidence: the flight recorder explains the timeout of a watchdog") {
  std::vector<NamedText> sources = dumps(behind());
  sources.push_back({"log",
                     "[rank4]:[E ProcessGroupNCCL.cpp:607] [Rank 0] [PG ID 0 PG GUID 0(default_pg) Rank 0] Watchdog "
                     "caught collective operation timeout: WorkNCCL(SeqNum=411, OpType=ALLREDUCE, NumelIn=4096, "
                     "NumelOut=4096, Timeout(ms)=600000) ran for 600068 milliseconds before timing out.\n"});
  const Model model = model_of(sources);
  const auto found = findings_of(model, "watchdog-timeout");
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].suspects.size() == 1);
  CHECK(found[0].suspects[0].rank == 7);
  CHECK(findings_of(model, "straggler").empty());
}

TEST_CASE("evidence: durations of the flight recorder give a bandwidth if type and sizes are there") {
  const auto timed = [](const std::string& operation, const std::string& sizes, const std::string& milliseconds,
                        const std::string& type = "BFloat16") {
    std::string text = entry(1, operation, "completed", sizes);
    return text.replace(text.find("\"is_p2p\""), 0,
                        "\"input_dtypes\":[\"" + type + "\"],\"duration_ms\":" + milliseconds + ",");
  };
  const auto gathered = [&] {
    std::string text = timed("_all_gather_base", "[[67108864]]", "4.0");
    const std::string parts = R"("output_sizes":[[67108864]])";
    return text.replace(text.find(parts), parts.size(), R"("output_sizes":[[4,67108864]])");
  };
  const auto dump_of = [&](const std::string& milliseconds) {
    return dump(timed("all_reduce", "[[8]]", "0.1") + ",\n" + timed("all_reduce", "[[1024,524288]]", milliseconds) +
                ",\n" + timed("all_reduce", "[[1024,524289]]", "1.0", "QInt8") + ",\n" +
                timed("_all_gather_base", "[[1073741824]]", "1.0") + ",\n" + gathered() + ",\n" +
                timed("broadcast", "[[1073741824]]", "1.0"));
  };
  const std::vector<NamedText> texts{{"trace_rank_4", dump_of("16.0")}, {"trace_rank_5", dump_of("12.0")}};
  const Model model = model_of(texts);
  REQUIRE(model.durations.size() == 4);
  CHECK(model.durations[0].operation == Text("AllGather"));
  CHECK(model.durations[0].size == 536870912);
  CHECK(model.durations[2].size == 1073741824);
  CHECK(model.durations[2].group == "default_pg:0");
  const std::vector<std::string> said = describe_benchmarks(model);
  REQUIRE(said.size() == 3);
  CHECK(
      said[2] ==
      "AllReduce of default_pg:0, 4 ranks, by the flight recorder: busbw 134.22 GB/s at 1 GiB, in the shortest of the "
      "durations of 2 ranks (12.00 ms), which may include waiting for late ranks");
  check_same_report(texts);
  CHECK(model_of({{"trace_rank_4", waiting()}}).durations.empty());
}

TEST_CASE("evidence: keys in the order of PyTorch, and damaged dumps") {
  const std::string sorted = R"({"comm_lib_version":"2.28.9","entries":[)" +
                             entry(1, "all_reduce", "scheduled", R"([[99999999999,99999999999],["x"]])") +
                             R"(],"pg_config":{},"version":"2.10"})";
  const Model model = model_of({{"nccl_trace_rank_x", sorted}});
  REQUIRE(model.flight_records.size() == 1);
  CHECK(model.flight_records[0].global_rank == -1);
  CHECK(model.flight_records[0].elements_in == -1);
  CHECK(model_of({{"a", dump(R"({"process_group":[0]},{"process_group":["0","d"],"collective_seq_id":-4},7,null)")}})
            .flight_records.empty());
  CHECK(model_of({{"a", dump(std::string(1000, '['))}}).flight_records.empty());
  check_same_report({{"rank3", sorted}});
}

}  // namespace nccl_analyze::evidence
