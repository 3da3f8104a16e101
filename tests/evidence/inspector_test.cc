// Tests that lines of the NCCL Inspector become one record for each communicator, rank and operation.

#include <string>

#include "evidence/evidence_models.h"

namespace nccl_analyze::evidence {
namespace {

std::string line(int rank, const std::string& operation, int number, const std::string& nranks = "8") {
  return R"({"header":{"id":"0xabc","comm_name":"default_pg:0","rank":)" + std::to_string(rank) + R"(,"n_ranks":)" +
         nranks +
         R"(,"nnodes":1},"metadata":{"inspector_output_format_version":"v4.0","git_rev":"","rec_mechanism":)"
         R"("nccl_profiler_interface","dump_timestamp_us":1748030377748202,"hostname":"worker-0","pid":4711},)"
         R"("coll_perf":{"coll":")" +
         operation + R"(","coll_sn":)" + std::to_string(number) +
         R"(,"coll_msg_size_bytes":17179869184,"coll_exec_time_us":61974,"coll_timing_source":"kernel_gpu",)"
         R"("coll_algobw_gbs":277.2,"coll_busbw_gbs":485.1}})"
         "\n";
}

}  // namespace

TEST_CASE("evidence: lines of the Inspector are counted") {
  std::string text;
  for (int i = 0; i < 500; ++i) text += line(3, "AllReduce", i);
  text += line(3, "AllGather", 0) + "{\"header\":{\"id\":\"0xabc\"},\"metadata\":{},\"p2p_perf\":{}}\n";
  const Model model = model_of({{"worker-0-pid4711.log", text}});
  REQUIRE(model.inspected.size() == 2);
  const InspectedRank& all_reduce = model.inspected[1];
  CHECK(all_reduce.comm_id == 0xabc);
  CHECK(all_reduce.comm_name == "default_pg:0");
  CHECK(all_reduce.rank == 3);
  CHECK(all_reduce.nranks == 8);
  CHECK(all_reduce.pid == 4711);
  CHECK(all_reduce.operation == Text("AllReduce"));
  CHECK(all_reduce.completed == 500);
  CHECK(all_reduce.last == 499);
  CHECK(all_reduce.busbw == Approx(485.1));
  CHECK(all_reduce.at.line == 500);
  CHECK(analyze(model).findings.empty());
  check_same_report({{"a", text}});
}

TEST_CASE("evidence: damaged lines of the Inspector are not counted") {
  const std::string text = line(8, "AllReduce", 1) + line(-1, "AllReduce", 1) + line(0, "AllReduce", -1) +
                           line(0, "AllReduce", 1, "99999999999999999999") + line(0, "", 1) +
                           line(0, "AllReduce", 1).substr(0, 150) + "\n{\"header\":{\"id\":\n";
  CHECK(model_of({{"a", text}}).inspected.empty());
}

}  // namespace nccl_analyze::evidence
