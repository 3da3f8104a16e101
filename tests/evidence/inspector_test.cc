// Tests that lines of the NCCL Inspector become one record for each communicator, rank and operation.

#include <string>
#include <string_view>
#include <vector>

#include "evidence/evidence_models.h"
#include "report/sentences/benchmarks.h"

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

TEST_CASE("evidence: the shortest duration of the largest collective gives a bandwidth") {
  const auto timed = [](int rank, const std::string& operation, const std::string& bytes, const std::string& time,
                        const std::string& busbw, const std::string& by = "kernel_gpu") {
    std::string text = line(rank, operation, 1);
    const auto set = [&](std::string_view from, const std::string& to) {
      text.replace(text.find(from), from.size(), to);
    };
    set("17179869184", bytes);
    set("61974", time);
    set("485.1", busbw);
    set("kernel_gpu", by);
    return text;
  };
  const std::string text =
      timed(3, "AllReduce", "1073741824", "4000", "469.76") + timed(3, "AllReduce", "8192", "10", "1.43") +
      timed(3, "AllReduce", "1073741824", "3900", "481.8") + timed(4, "AllReduce", "1073741824", "5000", "375.8") +
      timed(4, "AllReduce", "2147483648", "9000", "9.9") +  // not the bandwidth of this size
      timed(4, "AllReduce", "2147483648", "9000", "417.56", "kernel_cpu") +
      timed(3, "AllGather", "134217728", "2000", "469.76") +  // of each of 8 ranks
      timed(3, "Broadcast", "1073741824", "2000", "536.87");
  const Model model = model_of({{"a", text}});
  REQUIRE(model.durations.size() == 3);
  CHECK(model.durations[0].operation == Text("AllGather"));
  CHECK(model.durations[0].size == 1073741824);
  CHECK(model.durations[1].microseconds == Approx(3900));
  CHECK(model.durations[1].at.line == 3);
  CHECK(model.durations[2].size == 1073741824);
  const std::vector<std::string> said = describe_benchmarks(model);
  REQUIRE(said.size() == 3);
  CHECK(said[2] ==
        "AllReduce of default_pg:0, 8 ranks, by the NCCL Inspector: busbw 481.81 GB/s at 1 GiB, in the shortest of the "
        "durations of 2 ranks (3.90 ms), which may include waiting for late ranks");
  CHECK(said[1] ==
        "  busbw at 1 GiB: 469.76 GB/s; what the links can carry is not known: no communicator of the input has its "
        "name or id (NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH prints it)");
  check_same_report({{"a", text}});
}

TEST_CASE("evidence: damaged lines of the Inspector are not counted") {
  const std::string text = line(8, "AllReduce", 1) + line(-1, "AllReduce", 1) + line(0, "AllReduce", -1) +
                           line(0, "AllReduce", 1, "99999999999999999999") + line(0, "", 1) +
                           line(0, "AllReduce", 1).substr(0, 150) + "\n{\"header\":{\"id\":\n";
  CHECK(model_of({{"a", text}}).inspected.empty());
}

}  // namespace nccl_analyze::evidence
