// Tests that sentences of findings, checks and frame claim no more than the lines prove.

#include <string>
#include <string_view>

#include "catch.h"
#include "report/text_report.h"

namespace nccl_analyze::test {
namespace {

/// A trace that only the releases from 2.18.3 to 2.18.6 print.
constexpr std::string_view trace_of_218_3 =
    "node-a:10:11 [0] misc/socket.cc:49 NCCL WARN socketProgress: Connection closed by remote peer node-a<51159>\n"
    "node-a:10:11 [0] NCCL INFO misc/socket.cc:749 -> 6\n"
    "node-a:10:11 [0] NCCL INFO transport/p2p.cc:438 -> 3\n"
    "node-a:10:11 [0] NCCL INFO transport.cc:33 -> 3\n"
    "node-a:10:11 [0] NCCL INFO transport.cc:97 -> 3\n"
    "node-a:10:11 [0] NCCL INFO init.cc:1079 -> 3\n"
    "node-a:10:11 [0] NCCL INFO init.cc:1358 -> 3\n";

/// A trace that all releases of 2.18 print.
constexpr std::string_view trace_of_218 =
    "node-a:20:21 [3] include/alloc.h:178 NCCL WARN Cuda failure 'out of memory'\n"
    "node-a:20:21 [3] include/alloc.h:185 NCCL WARN Failed to CUDA calloc 6291456 bytes\n"
    "node-a:20:21 [3] NCCL INFO transport/p2p.cc:204 -> 1\n"
    "node-a:20:21 [3] NCCL INFO transport/p2p.cc:605 -> 1\n"
    "node-a:20:21 [3] NCCL INFO proxy.cc:1303 -> 1\n"
    "node-a:20:21 [3] NCCL INFO proxy.cc:1377 -> 1\n";

constexpr std::string_view refused =
    "node-b:30:31 [0] transport/net_ib.cc:1909 NCCL WARN NET/IB : Got completion from peer 10.0.0.1<33057> with "
    "status=9 opcode=0 len=0 vendor err 138 (Send) localGid ::ffff:10.7.1.2 remoteGids::ffff:10.7.1.1\n";

std::string violated(std::string_view process) {
  return std::string(process).append(
      " [0] transport/net_ib.cc:101 NCCL WARN NET/IB : mlx5_0:1 Got async event : local access violation work queue "
      "error\n");
}

}  // namespace

TEST_CASE("claims: inferred versions of two processes are one where they have releases in common") {
  REQUIRE(holds(text_of(trace_of_218_3), "NCCL 2.18.3 to 2.18.6 (not shown"));
  REQUIRE(holds(text_of(trace_of_218), "NCCL 2.18.1 to 2.18.6 (not shown"));
  const std::string both = text_of(std::string(trace_of_218).append(trace_of_218_3));
  CHECK(holds(both, "NCCL 2.18.3 to 2.18.6 (not shown"));
  CHECK(holds(both, "likely NCCL 2.18.3 to 2.18.6 by the places in its messages; no version line"));
  CHECK(!holds(both, "2.18.1"));
}

TEST_CASE("claims: a NIC's refusal and the refused request of another host do not follow from each other") {
  CHECK(holds(text_of(violated("node-a:20:21").append(refused)), "Perhaps its other end:\n    NCA312 nic-fatal"));
  CHECK(!holds(text_of(violated("node-a:20:21").append(refused)), "Follows from it"));
  CHECK(holds(text_of(violated("node-b:30:32").append(refused)), "Follows from it:\n    NCA312 nic-fatal"));
}

TEST_CASE("claims: the end of a job ends its steps, and the end of a step is not that of the job") {
  const auto line = [](std::string_view what) {
    return std::string("slurmstepd: error: *** ")
        .append(what)
        .append(" ON node-1 CANCELLED AT ")
        .append("2026-03-11T20:00:12 DUE TO TIME LIMIT ***\n");
  };
  for (const std::string& log : {line("JOB 77") + line("STEP 77.0"), line("STEP 77.0") + line("JOB 77")}) {
    CHECK(holds(text_of(log), "The scheduler ended the job due to time limit\n       1 error"));
    CHECK(holds(text_of(log), "The scheduler ended job 77 due to time limit"));
    CHECK(!holds(text_of(log), "ended step"));
  }
  CHECK(holds(text_of(line("STEP 77.0")), "The scheduler ended step 77.0 due to time limit"));
  CHECK(holds(text_of(line("STEP 77.0") + line("JOB 78")), "The scheduler ended step 77.0 due to time limit"));
}

TEST_CASE("claims: a message of a plugin for InfiniBand is not one of NCCL's own transport") {
  const std::string plugin = text_of(
      "node-a:20:21 [4] ib_plugin.c:1615 NCCL WARN NET/IB : Got completion from peer 10.0.0.1<54862> with status=12 "
      "opcode=0 len=0 vendor err 129 (Recv)\n");
  CHECK(holds(plugin, "a message comes from a network plugin for InfiniBand"));
  CHECK(holds(text_of(refused), "a message comes from NCCL's transport for InfiniBand"));
}

TEST_CASE("claims: a communicator that begins without a name is not said to be missing") {
  const std::string text = text_of(
      "NCCL version 2.3.7+cuda9.0\n"
      "node-a:20:20 [0] NCCL INFO NET : Using interface eth0:10.0.0.1<0>\n"
      "node-a:20:20 [0] NCCL INFO Using internal Network Socket\n"
      "node-a:20:20 [0] NCCL INFO rank 0 nranks 8\n");
  CHECK(holds(text, "a communicator begins, and no line names it"));
  CHECK(!holds(text, "no recognised line starts a communicator"));
}

TEST_CASE("claims: the file that failed is named below the folder of a build") {
  const std::string folder = "/long_pathname_so_that_rpms_can_package_the_debug_info/src/extlibs/rccl/build/src/";
  std::string log;
  for (const char* const place : {"include/net.h:26", "transport/net.cpp:550", "proxy.cpp:1016"})
    log.append("node-a:20:21 [3] NCCL INFO ").append(folder).append(place).append(" -> 2\n");
  CHECK(holds(text_of(log), "RCCL failed with unhandled system error in include/net.h"));
}

TEST_CASE("claims: a missing interface is no proof of a setting") {
  const std::string warning = "node-a:20:20 [0] bootstrap.cc:45 NCCL WARN Bootstrap : no socket interface found\n";
  CHECK(holds(text_of(warning), "NCCL found no network interface that it may use"));
  CHECK(!holds(text_of(warning), "was told to use"));
  CHECK(holds(text_of("node-a:20:20 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to eth0\n" + warning),
              "No network interface fits what NCCL was told to use: NCCL_SOCKET_IFNAME=eth0"));
}

TEST_CASE("claims: an upgrade does not join ranks of two networks") {
  const auto text = [](std::string_view types) {
    std::string log = "NCCL version 2.18.3+cuda12.2\n";
    log.append("node-a:20:21 [2] misc/socket.cc:441 NCCL WARN socketFinalizeAccept: wrong type ").append(types);
    return text_of(log.append("\nnode-a:20:21 [2] NCCL INFO misc/socket.cc:561 -> 3\n"));
  };
  CHECK(holds(text("4 != 3"), "The ranks chose different networks"));
  CHECK(!holds(text("4 != 3"), "Upgrade to NCCL 2.30.7"));
  CHECK(holds(text("1 != 2"), "Upgrade to NCCL 2.30.7"));
}

TEST_CASE("claims: the first collective of a group need not be the first of the job") {
  const std::string text = text_of(
      "[rank0]:[E1218 20:27:21.426415540 ProcessGroupNCCL.cpp:629] [Rank 0] Watchdog caught collective operation "
      "timeout: WorkNCCL(SeqNum=1, OpType=BROADCAST, NumelIn=131072000, NumelOut=131072000, Timeout(ms)=600000) ran "
      "for 600081 milliseconds before timing out.\n");
  CHECK(holds(text, "The first collective of a process group never finished"));
  CHECK(!holds(text, "of the job never"));
  CHECK(!holds(text, "no collective of this job"));
}

TEST_CASE("claims: CollNet that fails does not prove that the job goes on") {
  const std::string text = text_of(
      "node-a:20:21 [7] sharp_plugin.c:400 NCCL WARN NET/IB : SHARP coll init error: Cannot create SHARP job(-11)\n");
  CHECK(holds(text, "NCCL then takes its ordinary algorithms, unless NCCL_ALGO allows CollNet alone"));
  CHECK(!holds(text, "goes on without it"));
}

TEST_CASE("claims: a caller that passes on the failure of its service thread is explained with it") {
  std::string log =
      "node-a:20:21 [3] NCCL INFO transport/net.cc:550 -> 2\nnode-a:20:21 [3] NCCL INFO proxy.cc:1016 -> 2\n";
  log += "node-a:20:22 [3] proxy.cc:912 NCCL WARN Proxy Call to rank 3 failed (Connect)\n";
  CHECK(holds(text_of(log), "NCCL failed with unhandled system error"));
  CHECK(!holds(text_of(log), "Warnings that no rule explains"));
}

}  // namespace nccl_analyze::test
