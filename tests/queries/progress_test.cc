// Tests how far ranks have come in their collectives: how calls are numbered, and when they cannot be.

#include "queries/progress.h"

#include <sstream>
#include <string>

#include "catch.h"
#include "model_of.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze {
namespace {

std::string line(int rank, const std::string& message) {
  const std::string pid = std::to_string(100 + rank);
  return "gpu-a1:" + pid + ":" + pid + " [" + std::to_string(rank) + "] NCCL INFO " + message + "\n";
}

std::string comm_of(int rank) { return "0xc0de" + std::to_string(rank); }

std::string init(int rank) {
  const std::string head = "ncclCommInitRankConfig comm " + comm_of(rank) + " rank " + std::to_string(rank) +
                           " nranks 3 cudaDev 0 nvmlDev 0 busId 1000 commId 0x7 - Init ";
  return line(rank, head + "START") + line(rank, head + "COMPLETE");
}

std::string call(int rank, int op_count, const std::string& operation = "AllReduce", int nranks = 3) {
  std::ostringstream out;
  out << operation << ": opCount " << std::hex << op_count << std::dec
      << " sendbuff 0x1 recvbuff 0x2 count 8 datatype 7 op 0 root 0 comm " << comm_of(rank) << " [nranks=" << nranks
      << "] stream 0x3";
  return line(rank, out.str());
}

std::string calls(int rank, int first, int end) {
  std::string log;
  for (int number = first; number < end; ++number) log += call(rank, number);
  return log;
}

std::string told(const std::string& log) {
  const Model model = model_of(log);
  std::string text;
  for (const CallProgress& one : find_call_progress(model)) text += progress_text(model, one) + "\n";
  return text;
}

}  // namespace

TEST_CASE("progress: calls are counted from the initialisation on, whatever opCount says") {
  const std::string zeros = call(0, 0) + call(0, 0) + call(1, 0) + call(2, 0) + call(2, 0);
  CHECK(told(init(0) + init(1) + init(2) + zeros) == "AllReduce 2: 2 of 3 ranks; rank 1 is at 1\n");
}

TEST_CASE("progress: a rank without a call is not said to be behind") {
  CHECK(told(init(0) + init(1) + init(2) + calls(0, 0, 4) + calls(1, 0, 4)) ==
        "AllReduce 4: 2 of 3 ranks; not told of rank 2\n");
  CHECK(told(init(0) + init(1) + calls(0, 0, 4) + calls(1, 0, 4)) ==
        "AllReduce 4: 2 of 3 ranks; of 1 rank this input has no such call\n");
  CHECK(told(init(0) + init(1) + init(2)).empty());
}

TEST_CASE("progress: without an initialisation opCount numbers calls where it grows with each") {
  CHECK(told(calls(0, 50, 60) + calls(1, 50, 60) + calls(2, 50, 58)) ==
        "AllReduce 60: 2 of 3 ranks; gpu-a1:102 (GPU 2) is at 58\n");
  CHECK(told(calls(0, 50, 60) + calls(1, 50, 60) + calls(2, 50, 57) + call(2, 70)).empty());
  CHECK(told(call(0, 0) + call(0, 0) + call(1, 0) + call(1, 0)).empty());
}

TEST_CASE("progress: communicators that may be several are not put together") {
  CHECK(told(calls(0, 5, 9) + call(1, 5) + call(1, 6, "AllGather")).empty());  // The ranks call different collectives.
  std::string many;
  for (int rank = 0; rank < 6; ++rank) many += calls(rank, 0, 3 + rank);  // More ranks than a communicator has.
  CHECK(told(many).empty());
}

}  // namespace nccl_analyze
