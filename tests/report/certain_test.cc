// Tests that a report says no more than its input proves: of releases, checks, paths, outcomes and leftover lines.

#include <algorithm>
#include <string>
#include <string_view>

#include "catch.h"
#include "model_of.h"
#include "nccl_analyze/rule.h"
#include "report/sentences/outcome.h"
#include "report/sentences/paths.h"
#include "report/sentences/verdict.h"
#include "report/text_report.h"

namespace nccl_analyze {
namespace {

bool says(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

const Finding* finding_of(const Report& report, std::string_view id) {
  const auto found = std::ranges::find_if(report.findings, [&](const Finding& one) { return one.rule->id == id; });
  return found == report.findings.end() ? nullptr : &*found;
}

std::string check_of(const Report& report, std::string_view name) {
  const auto found = std::ranges::find(report.checks, name, &Check::check);
  return found == report.checks.end() ? "" : std::string(to_string(found->status)) + " " + found->detail;
}

constexpr std::string_view old_shm = "n1:100:104 [0] NCCL INFO Ring 00 : 0[0] -> 1[0] via direct shared memory\n";

/// The first rank of the first communicator of a log.
Rank first_rank(const std::string& log) {
  const Model model = model_of(log);
  return model.communicators.at(0).ranks.at(0);
}

}  // namespace

TEST_CASE("certain: the step of NCA401 is that of the release that the form of its lines shows") {
  const Model old = model_of(std::string(old_shm));
  const Report of_old = analyze(old);
  const Finding* const finding = finding_of(of_old, "NCA401");
  REQUIRE(finding != nullptr);
  REQUIRE(finding->steps.size() == 1);
  CHECK(says(finding->steps[0].text, "2.6 to 2.8"));
  const Report of_new = analyze(model_of("n1:100:104 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/direct/direct\n"));
  REQUIRE(finding_of(of_new, "NCA401") != nullptr);
  CHECK(says(finding_of(of_new, "NCA401")->steps[0].text, "from 2.9 on"));
}

TEST_CASE("certain: a finding that doubts itself fails no check") {
  const Report report = analyze(model_of(std::string(old_shm)));
  CHECK(check_of(report, "transports") == "unknown NCA401 shm-instead-of-p2p; SHM x 1");
}

TEST_CASE("certain: paths of one communicator do not speak for the others") {
  std::string log;
  for (const char rank : {'0', '1'})
    log += std::string("n1:10") + rank + ":10" + rank + " [0] NCCL INFO comm 0x7f00" + rank + "0 rank " + rank +
           " nranks 4 cudaDev " + rank + " busId " + rank + "000 - Init COMPLETE\n";
  log.insert(0, "n1:100:100 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/IPC\n");
  log += "n1:107:107 [1] NCCL INFO Channel 00/0 : 3[1] -> 0[0] [send] via NET/IB/0\n";
  const Model model = model_of(log);
  std::string all;
  for (const std::string& line : describe_paths(model, false)) all += line + "\n";
  INFO(all);
  CHECK(says(all, "NET/IB"));
  CHECK(!says(all, "is in this input"));
}

TEST_CASE("certain: a refused message whose error NCCL returns is a failure and no hang") {
  const Model model = model_of(
      "n1:100:104 [0] transport/net_ib.cc:1038 NCCL WARN NET/IB : req 0/1 tag 0 peer 10.0.0.7<58683> collective "
      "mismatch error, local size 496640 remote size 65536\n"
      "n1:100:104 [0] NCCL INFO include/net.h:32 -> 5\nn1:100:104 [0] NCCL INFO transport/net.cc:890 -> 5\n"
      "n1:100:104 [0] NCCL INFO proxy.cc:684 -> 5 [Proxy Thread]\n");
  CHECK(outcome_of(model, analyze(model)).outcome == Outcome::failed);
}

TEST_CASE("certain: lines that repeat a failure or are harmless are not left over") {
  const std::string cause =
      "n1:100:104 [0] transport/net_ib.cc:780 NCCL WARN Call to ibv_reg_mr failed with error Cannot allocate memory\n"
      "n1:100:104 [0] NCCL INFO transport/net.cc:476 -> 2\n";
  const std::string echo = "n1:100:105 [0] misc/socket.cc:40 NCCL WARN [Service thread] Accept failed Success\n";
  const std::string trace = "n1:101:106 [1] NCCL INFO transport/net.cc:476 -> 2\n";
  CHECK(analyze(model_of(echo + cause + trace)).unexplained_warnings.empty());
  CHECK(analyze(model_of(echo)).unexplained_warnings.size() == 1);
  CHECK(analyze(model_of(cause + "n1:101:106 [1] NCCL INFO transport/net.cc:477 -> 2\n")).unexplained_warnings.size() ==
        1);
  const std::string ras = "n1:100:107 [0] ras/ras.cc:91 NCCL WARN Call to bind failed: Address already in use\n";
  CHECK(analyze(model_of(ras)).unexplained_warnings.empty());
}

TEST_CASE("certain: a connection proves the end of an initialisation only where the release connects behind it") {
  const std::string via = "n1:100:104 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\n";
  CHECK(first_rank(via).state == RankState::started);
  CHECK(first_rank("n1:100:100 [0] NCCL INFO NCCL version 2.21.5+cuda12.4\n" + via).state == RankState::started);
  CHECK(first_rank("n1:100:100 [0] NCCL INFO NCCL version 2.23.4+cuda12.4\n" + via).state == RankState::complete);
  CHECK(first_rank("n1:100:100 [0] NCCL INFO NCCL version 2.23.4+cuda12.4\n"
                   "n1:100:100 [0] NCCL INFO NCCL_RUNTIME_CONNECT set by environment to 0.\n" +
                   via)
            .state == RankState::started);
  CHECK(first_rank("n1:100:104 [0] NCCL INFO Channel 00/1 : 0[0] -> 1[1] via P2P/CUMEM\n").state ==
        RankState::complete);
  const std::string trail =
      "n1:100:104 [0] NCCL INFO transport/shm.cc:101 -> 2\nn1:100:104 [0] NCCL INFO transport.cc:49 -> 2\n";
  CHECK(first_rank(std::string(old_shm) + trail).state == RankState::started);
  CHECK(first_rank(std::string(old_shm) + trail + "n1:100:104 [0] NCCL INFO init.cc:840 -> 2\n").state ==
        RankState::failed);
}

TEST_CASE("certain: a job with an error is not running because another thread connects") {
  const Model model = model_of(
      "n1:100:105 [0] misc/socket.cc:483 NCCL WARN socketStartConnect: Connect to 10.3.3.4<45763> failed : Software "
      "caused connection abort\n"
      "n1:100:105 [0] NCCL INFO proxy.cc:1377 -> 2\n"
      "n1:100:104 [5] NCCL INFO Channel 20 : 5[5] -> 4[4] via SHM/direct/direct\n");
  CHECK(outcome_of(model, analyze(model)).outcome != Outcome::running);
}

TEST_CASE("certain: NCCL 2.4 prints no bus id with Init COMPLETE") {
  CHECK(!first_rank("n1:100:104 [0] NCCL INFO comm 0x7f24 rank 3 nranks 16 cudaDev 0 nvmlDev 5 - Init COMPLETE\n")
             .has_bus_id);
  CHECK(first_rank("n1:100:104 [0] NCCL INFO comm 0x7f24 rank 3 nranks 16 cudaDev 0 busId 1000 - Init COMPLETE\n")
            .has_bus_id);
}

TEST_CASE("certain: a step about a message that hides the cause stands under the rule of that message only") {
  const std::string aborted =
      " NCCL WARN socketStartConnect: Connect to 127.0.0.1<45763> failed : Software caused connection abort\n";
  const std::string log = "n1:100:100 [0] NCCL INFO NCCL version 2.18.5+cuda12.2\n" +
                          std::string("n1:100:100 [0] NCCL INFO Bootstrap : Using lo:127.0.0.1<0>\n") +
                          "n1:100:104 [0] misc/socket.cc:483" + aborted + "n2:101:104 [0] misc/socket.cc:483" + aborted;
  const Model model = model_of(log);
  const Report report = analyze(model);
  for (const Finding& finding : report.findings)
    for (const Step& step : finding.steps)
      CHECK((finding.rule->id == "NCA210" || !says(step.text, "Upgrade to NCCL 2.24.3")));
}

TEST_CASE("certain: a list of nccl-tests with a gap tells how many ranks there are at least") {
  std::string log =
      "# nThread 1 nGpus 10 minBytes 8 maxBytes 268435456 step: 2(factor) warmup iters: 5 iters: 20 agg "
      "iters: 1 validation: 1 graph: 0\n#\n# Using devices\n";
  for (const char rank : {'0', '1', '9'})
    log += std::string("#  Rank  ") + rank + " Group  0 Pid  33207 on     node-a device  " + rank + " [0000:9" + rank +
           ":00] NVIDIA L40S\n";
  const std::string text = test::text_of(log);
  INFO(text);
  CHECK(test::holds(text, "nccl-tests, at least 10 ranks, of which 3 are listed, on 1 host"));
}

TEST_CASE("certain: paths of RCCL's sources and names of its plugins tell the library") {
  CHECK(
      test::holds(test::text_of("n1:100:104 [0] /data/driver/rccl/src/include/socket.h:415 NCCL WARN Net : Connect to "
                                "10.0.0.32<52061> failed : No route to host\n"),
                  "RCCL version not shown"));
  CHECK(test::holds(test::text_of("n1:100:104 [0] NCCL INFO NET/Plugin: Could not find: X librccl-net-X.so\n"
                                  "n1:100:104 [0] NCCL INFO Using network Socket\n"),
                    "RCCL version not shown"));
}

TEST_CASE("certain: facts of one line count once, and what an exception repeats is no second failure") {
  Evidence evidence;
  evidence.add(LineRef(SourceId{}, 3));
  Evidence same;
  same.add(LineRef(SourceId{}, 3));
  same.add(LineRef(SourceId{}, 4));
  evidence.add(same);
  CHECK(evidence.count == 2);
  const std::string text = test::text_of(
      "[rank13]: torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:3780, unhandled system error, "
      "NCCL version 2.27.5\n"
      "[rank13]: ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.\n"
      "[rank13]: Last error:\n[rank13]: Call to ibv_create_cq failed with error Cannot allocate memory\n"
      "NCCL WARN Call to ibv_create_cq failed with error Cannot allocate memory\n");
  INFO(text);
  CHECK(!test::holds(text, "a process that is not identified"));
}

TEST_CASE("certain: a rank that reads the topology file is past the exchange of rank data") {
  const Rank rank = first_rank(
      "n1:100:104 [0] NCCL INFO comm 0x5f54 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0xffa5 - Init "
      "START\nn1:100:104 [0] NCCL INFO NCCL_TOPO_FILE set by environment to /opt/topo.xml\n");
  CHECK(rank.phase == InitPhase::topology);
}

TEST_CASE("certain: rings of lines that may be of one communicator are not added up") {
  const Report report = analyze(
      model_of("n1:100:104 [0] NCCL INFO Channel 00/02 :    0   1\nn1:100:104 [0] NCCL INFO Channel 01/02 :    0   1\n"
               "n1:100:104 [0] NCCL INFO comm 0x5f54 rank 0 nranks 2 cudaDev 0 busId 1000 - Init COMPLETE\n"
               "n2:200:204 [0] NCCL INFO Channel 00/0 : 1[1000] -> 0[1000] [send] via NET/IB/0\n"));
  CHECK(!says(check_of(report, "rings"), " of "));
}

}  // namespace nccl_analyze
