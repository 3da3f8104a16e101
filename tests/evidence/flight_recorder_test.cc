// Tests that JSON of PyTorch's flight recorder becomes records that rules use, one dump for each rank.

#include <string>

#include "evidence/evidence_models.h"

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
