// Tests that a report claims the absence of something only where nothing in the input tells, and that headlines say
// what happened.

#include <algorithm>
#include <string>
#include <string_view>

#include "catch.h"
#include "messages/beginnings.h"
#include "model_of.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/report.h"
#include "report/text_paths.h"
#include "report/verdict.h"

namespace nccl_analyze {
namespace {

bool says(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

constexpr std::string_view head = "worker-0:100:104 [0] ";

std::string line(std::string_view words) { return std::string(head).append(words).append("\n"); }

/// All messages of the findings of a log, joined.
std::string messages_of(const std::string& log) {
  const Model model = model_of(log);
  std::string all;
  const Report report = analyze(model);
  for (const Finding& finding : report.findings) {
    all.append(finding.message).append("\n");
    for (const Finding& consequence : finding.consequences) all.append(consequence.message).append("\n");
  }
  return all;
}

std::string headline_of(const std::string& log) {
  const Model model = model_of(log);
  return judge(model, analyze(model)).headline;
}

const Check& check_of(const Report& report, std::string_view name) {
  return *std::find_if(report.checks.begin(), report.checks.end(), [&](const Check& one) { return one.check == name; });
}

}  // namespace

TEST_CASE("sentences: a phrase is confirmed by nothing only where the input has nothing else", "[sentences]") {
  const std::string phrase = "rank 0: init failed: unhandled system error (run with NCCL_DEBUG=INFO for details)\n";
  CHECK(says(messages_of(phrase), "nothing else here confirms it"));
  CHECK_FALSE(says(messages_of(line("misc/nvmlwrap.cc:94 NCCL WARN nvmlInit_v2() failed: Driver/library version "
                                    "mismatch") +
                               phrase),
                   "nothing else"));
  CHECK_FALSE(says(messages_of(line("NCCL INFO transport/net.cc:592 -> 2") + phrase), "nothing else"));
}

TEST_CASE("sentences: NCCL's own words are missing only where no warning is there", "[sentences]") {
  const std::string closed = line("proxy.cc:1485 NCCL WARN [Service thread] Could not receive type from localRank 0");
  CHECK(says(messages_of(closed), "which is not in this input"));
  const std::string harmless = line("ras/client_support.cc:181 NCCL WARN Call to bind failed: Address already in use");
  CHECK_FALSE(says(messages_of(harmless + closed), "which is not in this input"));
}

TEST_CASE("sentences: a peer that is named by host is named", "[sentences]") {
  const std::string closed = "misc/socket.cc:72 NCCL WARN socketProgress: Connection closed by remote peer ";
  CHECK(says(messages_of(line(closed + "gpu7.cluster<44189>")), "gpu7.cluster"));
  CHECK(says(messages_of(line(closed + "172....<33759>")), "172...."));
  CHECK_FALSE(says(messages_of(line(closed + "gpu7.cluster<44189>")), "does not say which"));
}

TEST_CASE("sentences: a check says what is known", "[sentences]") {
  const Model model = model_of(line("NCCL INFO NET/IB : No device found."));
  const Report report = analyze(model);
  CHECK(says(check_of(report, "network").detail, "no InfiniBand device"));
}

TEST_CASE("sentences: one pod of many shows how it reaches the others", "[sentences]") {
  const std::string init = line(
                               "NCCL INFO ncclCommInitRank comm 0x5610 rank 0 nranks 16 cudaDev 0 nvmlDev 0 busId "
                               "1b000 commId 0x77a1 - Init "
                               "START") +
                           line("NCCL INFO comm 0x5610 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0") +
                           line(
                               "NCCL INFO ncclCommInitRank comm 0x5610 rank 0 nranks 16 cudaDev 0 nvmlDev 0 busId "
                               "1b000 commId 0x77a1 - Init "
                               "COMPLETE") +
                           line("NCCL INFO Channel 00/0 : 8[0] -> 0[0] [receive] via NET/Socket/0");
  const std::vector<std::string> paths = describe_paths(model_of(init));
  CHECK(std::any_of(paths.begin(), paths.end(),
                    [](const std::string& path) { return path == "between hosts: NET/Socket"; }));
}

TEST_CASE("sentences: headlines say what happened", "[sentences]") {
  CHECK(says(headline_of(line("misc/nvmlwrap.cc:94 NCCL WARN nvmlInit_v2() failed: Driver/library version mismatch") +
                         line("NCCL INFO init.cc:478 -> 2") + line("NCCL INFO init.cc:512 -> 2")),
             "Driver/library version mismatch"));
  CHECK(says(headline_of(line("transport/shm.cc:93 NCCL WARN Call to open failed: No such file or directory")),
             "No such file or directory"));
}

TEST_CASE("beginnings: a cut or shortened warning has the topic of its wording", "[sentences]") {
  CHECK(topic_of_beginning("NET/IB: Resiliency is enabled on a recv communicator (...) with a single device.") ==
        "none");
  CHECK(topic_of_beginning("NET/IB : Remote IB device is incompatible with the local [0]mlx5_0:1/RoCE.") ==
        "ib-connect-failed");
  CHECK(topic_of_beginning("NET/IB : R").empty());
  CHECK(topic_of_beginning("something that no release of NCCL prints").empty());
}

}  // namespace nccl_analyze
