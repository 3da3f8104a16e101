// Tests to which process a line belongs that NCCL did not print: the one whose launcher's tag it has, or none.

#include <string>

#include "catch.h"
#include "model_of.h"

namespace nccl_analyze::test {
namespace {

std::string nccl(const std::string& tag, const std::string& host, int pid) {
  return tag + host + ":" + std::to_string(pid) + ":" + std::to_string(pid) + " [0] NCCL INFO Using network Socket\n";
}

const std::string raised = "RuntimeError: shapes do not fit\n";

/// The pid of the process that the only incident of the log is given to; -1: none.
std::int64_t accused(const std::string& log) {
  const Model model = model_of(log);
  REQUIRE(model.incidents.size() == 1);
  const Index process = model.incidents[0].process;
  return process < 0 ? -1 : model.processes[process].pid;
}

}  // namespace

TEST_CASE("senders: a line is of the process that prints with its tag", "[senders]") {
  const std::string both = nccl("0: ", "a", 7) + nccl("1: ", "b", 7);
  CHECK(model_of(both + "1: " + raised).incidents[0].process == 1);
  CHECK(model_of(both + "0: " + raised).incidents[0].process == 0);
  CHECK(accused(both + "2: " + raised) == -1);
  CHECK(accused(both + raised) == -1);
  CHECK(accused(nccl("[rank0]:", "a", 8) + nccl("[rank1]:", "a", 9) + "[rank1]: " + raised) == 9);
  CHECK(accused(nccl("(W pid=8) ", "a", 8) + nccl("(W pid=9) ", "a", 9) + "(W pid=9) " + raised) == 9);
  CHECK(accused(nccl("[trainer3|3]:", "a", 8) + "[trainer3|3]:" + raised) == 8);
}

TEST_CASE("senders: the only process is not accused for the line of another tag", "[senders]") {
  CHECK(accused(nccl("[trainer3]:", "a", 8) + "[trainer0|0]:" + raised) == -1);
  CHECK(accused(nccl("1: ", "a", 8) + "0: " + raised) == -1);
  CHECK(accused(nccl("", "a", 8) + "0: " + raised) == -1);
  CHECK(accused(nccl("[pod/p-0/c] ", "a", 8) + "[pod/p-1/c] " + raised) == -1);
  CHECK(accused(nccl("[pod/p-0/c] ", "a", 8) + nccl("[pod/p-1/c] ", "b", 8) + "[pod/p-1/c] " + raised) == 8);
}

TEST_CASE("senders: a tag of several processes is nobody's", "[senders]") {
  CHECK(accused(nccl("0: ", "a", 8) + nccl("0: ", "a", 9) + "0: " + raised) == -1);
}

TEST_CASE("senders: without tags the only process is meant", "[senders]") {
  CHECK(accused(nccl("", "a", 8) + raised) == 8);
  CHECK(accused(nccl("1: ", "a", 8) + nccl("2: ", "a", 8) + "3: " + raised) == 8);  // numbered lines
}

TEST_CASE("senders: the rank that PyTorch prints must be that of the process", "[senders]") {
  const std::string rank_3 =
      "a:8:9 [0] NCCL INFO ncclCommInitRank comm 0x18 rank 3 nranks 4 cudaDev 0 nvmlDev 0 busId 1000 commId 0x77 - "
      "Init "
      "START\n";
  CHECK(accused(rank_3 + "[rank3]: " + raised) == 8);
  CHECK(accused(rank_3 + "[rank1]: " + raised) == -1);
  CHECK(accused(nccl("", "a", 8) + "[rank3]: " + raised) == -1);  // no line tells which rank it is
}

TEST_CASE("senders: a quote of NCCL with an unknown tag is kept and given to nobody", "[senders]") {
  const std::string quote =
      "[trainer0|0]:Last error:\n[trainer0|0]:Duplicate GPU detected : rank 1 and rank 0 both on "
      "CUDA device 10\n";
  CHECK(accused(nccl("[trainer3]:", "a", 8) + quote) == -1);
  CHECK(accused(nccl("[trainer0|0]:", "a", 8) + quote) == 8);
}

TEST_CASE("senders: an Xid is of the process that uses the GPU, whatever its pid", "[senders]") {
  const auto start = [](int pid, int rank, const std::string& bus) {
    return "a:" + std::to_string(pid) + ":9 [0] NCCL INFO ncclCommInitRank comm 0x1" + std::to_string(pid) + " rank " +
           std::to_string(rank) + " nranks 2 cudaDev 0 nvmlDev 0 busId " + bus + " commId 0x77 - Init START\n";
  };
  const std::string both = start(100, 0, "3d000") + start(101, 1, "9a000");
  const std::string xid = "NVRM: Xid (PCI:0000:9a:00): 79, pid=100, GPU has fallen off the bus.\n";
  CHECK(accused(both + xid) == 101);
  CHECK(accused(both + "[1.2] a kernel: " + xid) == 101);
  CHECK(accused(both + "[1.2] other kernel: " + xid) == -1);
  CHECK(accused(start(100, 0, "3d000") + xid) == -1);
  CHECK(accused(nccl("", "a", 100) + xid) == -1);
}

}  // namespace nccl_analyze::test
