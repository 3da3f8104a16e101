// Tests that sentences of findings, checks and frame claim no more than the lines prove.

#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze::test {
namespace {

std::string report_of(std::string_view log) {
  Analyzer analyzer;
  analyzer.feed("log", log);
  const Analysis analysis = std::move(analyzer).finish();
  std::ostringstream out;
  write_text(out, analysis.model, analysis.report, {.columns = 1000});
  return out.str();
}

bool says(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

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

}  // namespace

TEST_CASE("claims: inferred versions of two processes are one where they have releases in common") {
  REQUIRE(says(report_of(trace_of_218_3), "NCCL 2.18.3 to 2.18.6 (not shown"));
  REQUIRE(says(report_of(trace_of_218), "NCCL 2.18.1 to 2.18.6 (not shown"));
  const std::string both = report_of(std::string(trace_of_218).append(trace_of_218_3));
  CHECK(says(both, "NCCL 2.18.3 to 2.18.6 (not shown"));
  CHECK(says(both, "likely NCCL 2.18.3 to 2.18.6 by the places in its messages; no version line"));
  CHECK(!says(both, "2.18.1"));
}

TEST_CASE("claims: a message of a plugin for InfiniBand is not one of NCCL's own transport") {
  const std::string plugin = report_of(
      "node-a:20:21 [4] ib_plugin.c:1615 NCCL WARN NET/IB : Got completion from peer 10.0.0.1<54862> with status=12 "
      "opcode=0 len=0 vendor err 129 (Recv)\n");
  CHECK(says(plugin, "a message comes from a network plugin for InfiniBand"));
  CHECK(says(report_of(refused), "a message comes from NCCL's transport for InfiniBand"));
}

TEST_CASE("claims: a communicator that begins without a name is not said to be missing") {
  const std::string text = report_of(
      "NCCL version 2.3.7+cuda9.0\n"
      "node-a:20:20 [0] NCCL INFO NET : Using interface eth0:10.0.0.1<0>\n"
      "node-a:20:20 [0] NCCL INFO Using internal Network Socket\n"
      "node-a:20:20 [0] NCCL INFO rank 0 nranks 8\n");
  CHECK(says(text, "a communicator begins, and no line names it"));
  CHECK(!says(text, "no recognised line starts a communicator"));
}

}  // namespace nccl_analyze::test
