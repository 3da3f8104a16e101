// Tests what job, checks, outcome and input say of excerpts: they may say no more than the lines show.

#include <string>
#include <string_view>

#include "catch.h"
#include "report/text_report.h"

namespace nccl_analyze::test {
namespace {

std::string line(std::string_view process, std::string_view message) {
  return std::string(process).append(" [0] NCCL INFO ").append(message).append("\n");
}

std::string ended(std::string_view pointer, int rank, std::string_view how) {
  return std::string("comm ").append(pointer).append(" rank ").append(std::to_string(rank)) +
         " nranks 2 cudaDev 0 busId 1000 - " + std::string(how) + " COMPLETE";
}

}  // namespace

TEST_CASE("frame: ranks of communicators that only end here are counted") {
  const std::string both =
      text_of(line("node-a:11:21", ended("0xaa", 0, "Abort")) + line("node-b:12:22", ended("0xbb", 1, "Abort")));
  CHECK(holds(both, "ranks: 2 of 2 ranks in this input"));
  CHECK(holds(both, "communicator #0: 2 ranks, no connection shown, start not in this input"));
  CHECK(!holds(both, "COMPLETE in this log"));
  CHECK(!holds(both, "WARNING"));  // a program that is done may end in this way
  const std::string one = line("node-a:11:21", ended("0xaa", 0, "Destroy"));
  CHECK(holds(text_of(one), "ranks: at least 1 of 2 ranks in this input"));
  CHECK(!holds(text_of(one), "The job completed"));
  CHECK(holds(text_of(one + one), "communicator #0: 2 ranks (at least 1 in this input)"));
}

TEST_CASE("frame: the end of a known communicator that stands twice adds none") {
  const std::string start = "ncclCommInitRank comm 0xaa rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x7 - ";
  const std::string end = line("node-a:11:21", ended("0xaa", 0, "Destroy"));
  const std::string text =
      text_of(line("node-a:11:21", start + "Init START") + line("node-a:11:21", start + "Init COMPLETE") + end + end);
  CHECK(holds(text, "communicator 0x7: 2 ranks (1 in this input)"));
  CHECK(!holds(text, "start not in this input"));
}

TEST_CASE("frame: a rank that only ends here completed no initialisation in this log") {
  const std::string text =
      text_of(line("node-a:11:21", "comm 0xaa rank 0 nRanks 2 nNodes 2 localRanks 1 localRank 0 MNNVL 0") +
              line("node-b:12:22", ended("0xbb", 1, "Destroy")));
  CHECK(holds(text, "init: 0 of 1 initialisations ended with COMPLETE in this log"));
  CHECK(holds(text, "ranks: at least 1 of 2 ranks in this input"));
}

TEST_CASE("frame: trees name the ranks of an excerpt") {
  const std::string text =
      text_of(line("node-a:11:21", "Channel 00/02 :    0   1") + line("node-a:11:21", "Channel 01/02 :    0   1") +
              line("node-a:11:21", "Trees [0] 1/-1/-1->0->-1 [1] -1/-1/-1->0->1") +
              line("node-b:12:22", "Trees [0] -1/-1/-1->1->0 [1] 0/-1/-1->1->-1"));
  CHECK(holds(text, "ranks: 2 of 2 ranks in this input"));
  const std::string alone =
      text_of(line("node-a:11:21", "Channel 00/02 :    0   1") + line("node-a:11:21", "Channel 01/02 :    0   1"));
  CHECK(holds(alone, "ranks: at least 1 of 2 ranks in this input"));
}

TEST_CASE("frame: lines without a size may be of another communicator than one that a line names") {
  const std::string text = text_of(line("node-a:11:21", "comm 0xaa rank 3 nranks 8 cudaDev 0 - Init COMPLETE") +
                                   line("node-b:12:22", "Trees [0] -1/-1/-1->1->0 [1] 0/-1/-1->1->-1"));
  CHECK(holds(text, "ranks: at least 1 of 8 ranks in this input"));
  CHECK(!holds(text, "not seen to finish"));
}

TEST_CASE("frame: one list of ranks is whole in releases that do not number their lists") {
  const std::string text = text_of(line("node-a:11:21", "Channel 00 :    0   1"));
  CHECK(holds(text, "rings: 1 ring closes"));
  CHECK(holds(text, "ranks: at least 1 of 2 ranks in this input"));
  CHECK(holds(text_of(line("node-a:11:21", "Channel 00/02 :    0   1")), "unknown number of ranks"));
}

TEST_CASE("frame: a pointer that was cut out of a line hides no rank") {
  for (const std::string mark : {"\u2026", "..."}) {
    const std::string text = text_of(line("node-a:11:21", "Using network Socket") +
                                     line("node-a:11:21", "comm 0x" + mark +
                                                              " rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 "
                                                              "MNNVL 0"));
    CHECK(holds(text, "communicator #0: 16 ranks (at least 1 in this input) on 2 nodes"));
    CHECK(holds(text, "ranks: at least 1 of 16 ranks in this input"));
    CHECK(holds(text, "2 NCCL lines, all recognised"));
  }
}

TEST_CASE("frame: the failure of a rank counts wherever its lines stand") {
  const std::string trace = line("node-a:11:21", "init.cu:568 -> 1");
  const std::string rank = line("node-a:11:21", "comm 0x7f0000aa rank 1 nranks 2");
  for (const std::string& log : {rank + trace, trace + rank})
    CHECK(holds(text_of(log), "init: 1 of 1 initialisations failed"));
  // From 2.18.3 to 2.22.3 an initialisation may fail before a line names its rank.
  const std::string start =
      "ncclCommInitRank comm 0xaa rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x7 - Init START";
  const auto restarted = [&](const std::string& version) {
    return text_of(line("node-a:11:21", "NCCL version " + version + "+cuda12.2") +
                   line("node-a:11:21", "init.cc:1501 -> 2") + line("node-a:11:21", start));
  };
  CHECK(!holds(restarted("2.18.3"), "initialisations failed"));
  CHECK(holds(restarted("2.27.3"), "1 of 1 initialisations failed"));
}

TEST_CASE("frame: two addresses of one interface are two hosts of one name") {
  const auto bootstrapped = [](std::string_view first, std::string_view second) {
    return text_of(line("node:11:11", std::string("Bootstrap : Using ").append(first)) +
                   line("node:12:12", std::string("Bootstrap : Using ").append(second)));
  };
  CHECK(holds(bootstrapped("bond0:10.0.0.1<0>", "bond0:10.0.0.2<0>"),
              "2 processes on 2 hosts of one name, or containers of one"));
  CHECK(holds(bootstrapped("bond0:10.0.0.1<0>", "bond0:10.0.0.1<0>"), "2 processes on 1 host;"));
  const auto joined = [](std::string_view first, std::string_view second) {
    std::string log;
    for (int rank = 0; rank < 2; ++rank) {
      const std::string process = "node:" + std::to_string(rank + 1) + ":9";
      log += line(process, std::string("Bootstrap : Using ").append(rank == 0 ? first : second)) +
             line(process, "Using network IB") +
             line(process, "comm 0xa" + std::to_string(rank) + " rank " + std::to_string(rank) +
                               " nranks 2 cudaDev 0 busId " + std::to_string(rank + 1) + "000 - Init COMPLETE");
    }
    return text_of(log);
  };
  CHECK(holds(joined("eth0:10.0.0.1<0>", "eth0:10.0.0.1<0>"), "network: IB, not needed: one node"));
  CHECK(!holds(joined("eth0:10.0.0.1<0>", "eth0:10.0.0.2<0>"), "not needed"));
  CHECK(holds(joined("eth0:10.0.0.1<0>", "eth0:10.0.0.2<0>"), "between hosts"));
  CHECK(holds(bootstrapped("bond0:10.0.0.1<0>", "eth0:10.0.0.2<0>"), "2 processes on 1 host;"));
}

TEST_CASE("frame: a message of another size proves no end of the job") {
  const std::string warning =
      "node-a:11:21 [0] transport/net_socket.cc:200 NCCL WARN NET/Socket : message truncated : receiving 696320 bytes "
      "instead of 32768\n";
  CHECK(!holds(text_of(warning), "The job"));
  CHECK(holds(text_of(warning + line("node-a:11:21", "enqueue.cc:300 -> 5")), "The job failed (log:2)"));
  const std::string trace = line("node-a:11:21", "transport/net.cc:300 -> 5");
  CHECK(holds(text_of(warning + trace), "The job failed (log:1)"));
  CHECK(!holds(text_of(warning + trace + line("node-a:11:21", "Channel 00 :    0   1")), "The job"));
}

TEST_CASE("frame: memory fails the initialisation only where lines show it there") {
  const std::string warning = "node-a:11:21 [0] NCCL WARN Failed to CUDA calloc 536870912 bytes\n";
  CHECK(!holds(text_of(warning), "init: NCA602"));
  CHECK(holds(text_of(warning + line("node-a:11:21", "init.cc:1501 -> 1")), "init: NCA602"));
  CHECK(holds(text_of(warning + line("node-b:12:22", "init.cc:1501 -> 3")), "init: NCA602"));  // its peer
}

TEST_CASE("frame: the end of a job is what no recognised line shows") {
  const std::string text = text_of(line("node-a:11:21", "Channel 00/0 : 0[0] -> 1[0] [send] via NET/Libfabric/0") +
                                   "[PASS] all_reduce complete: world_size=2, result=2.0\n");
  CHECK(holds(text, "No recognised line shows the end of the job (last one that shows progress: log:1)"));
}

TEST_CASE("frame: where prefixes are lost, the number of NCCL's lines is a lower limit") {
  CHECK(holds(text_of("NET/IB : Using [0]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>\nRank 0: 2 Net devices\n"),
              "2 lines, at least 1 NCCL line,"));
  CHECK(holds(text_of("NCCL INFO Using network Socket\n"), "1 line, 1 NCCL line,"));
  CHECK(holds(text_of(line("node-a:11:21", "Using network Socket")), "1 line, 1 NCCL line,"));
}

TEST_CASE("frame: processes whose lines name no rank show progress too") {
  const std::string connected = line("node-a:11:21", "Channel 00/0 : 0[0] -> 1[1] via P2P/IPC");
  const std::string text = text_of(connected + line("node-a:12:22", "Connected all trees"));
  CHECK(holds(text, "(last one that shows progress: log:2)"));
  const std::string nvls = line("node-a:11:21",
                                "NVLS comm 0x55e8d0a0 headRank 0 nHeads 8 nvlsRanks 8 buffSize 1048576 nvlsPerRankSize "
                                "100663296 nvlsTotalSize 805306368");
  CHECK(holds(text_of(connected + nvls), "(last one that shows progress: log:2)"));
  CHECK(holds(text_of(connected), "over NVLink or PCIe"));
  CHECK(!holds(text_of(connected + nvls), "PCIe"));
}

TEST_CASE("frame: a ring of an unknown number of ranks is not said to be open") {
  std::string log = line("node-a:11:21", "Channel 15/0 : 1[c5000] -> 0[29000] via P2P/IPC/read") +
                    line("node-a:12:22", "Channel 15/0 : 0[29000] -> 1[c5000] via P2P/IPC/read");
  for (const char* const what : {"Connected all rings", "Connected all trees"})
    log += line("node-a:11:21", what) + line("node-a:12:22", what);
  CHECK(holds(text_of(log), "1 ring shown, in part or whole; the number of ranks is not known"));
}

TEST_CASE("frame: a communicator that is cut out says nothing of ranks where a larger one is whole") {
  const auto comm = [](std::string_view process, std::string_view id, int rank, std::string_view how) {
    return line(process, "ncclCommInitRank comm 0x5" + std::string(id) + " rank " + std::to_string(rank) +
                             " nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x" + std::string(id) + " - Init " +
                             std::string(how));
  };
  const auto whole = [&](std::string_view process, std::string_view id, int rank) {
    return comm(process, id, rank, "START") + comm(process, id, rank, "COMPLETE");
  };
  const std::string cut = whole("node-a:11:21", "a1", 0);
  CHECK(holds(text_of(cut), "(1 of 2 ranks)"));
  CHECK(!holds(text_of(cut + whole("node-a:11:21", "b1", 0) + whole("node-a:12:22", "b1", 1)), "(1 of 2 ranks)"));
}

TEST_CASE("frame: a process that meets a bad address of another is its witness") {
  const std::string text = text_of(
      "node-a:11:21 [0] misc/socket.cc:483 NCCL WARN socketStartConnect: Connect to fe80::966d:3e03:a2:8cf0%ib1<17943> "
      "failed : Software caused connection abort\n");
  CHECK(holds(text, "seen by node-a, pid 11"));
  CHECK(!holds(text.substr(0, text.find('\n')), "node-a"));
}

TEST_CASE("frame: checks name no finding that a proven failure replaced") {
  const std::string text = text_of(
      line("node-a:11:21", "transport.cc:166 -> 2") + line("node-a:11:21", "group.cc:147 -> 2") +
      "node-a:11:31 [0] proxy.cc:1521 NCCL WARN [Proxy Service 0] Failed to execute operation Connect from rank 0, "
      "retcode 3\n[node-a:11 :0:11] Caught signal 11 (Segmentation fault: address not mapped to object at address "
      "(nil))\n");
  const std::size_t checks = text.find("\nChecks");
  REQUIRE(checks != std::string::npos);
  CHECK(holds(text.substr(checks), "NCA606") == holds(text.substr(0, checks), "NCA606"));
}

}  // namespace nccl_analyze::test
