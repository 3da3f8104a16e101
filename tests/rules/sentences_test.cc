// Tests that a report claims the absence of something only where nothing in the input tells, and that headlines say
// what happened.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "catch.h"
#include "messages/beginnings.h"
#include "model_of.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/report.h"
#include "report/sentences/outcome.h"
#include "report/sentences/paths.h"
#include "report/sentences/verdict.h"

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

/// A process that connected its rings.
std::string working_job() {
  return line(
             "NCCL INFO ncclCommInitRank comm 0x5610 rank 0 nranks 1 cudaDev 0 nvmlDev 0 busId 1b000 commId 0x77a1 - "
             "Init START") +
         line(
             "NCCL INFO ncclCommInitRank comm 0x5610 rank 0 nranks 1 cudaDev 0 nvmlDev 0 busId 1b000 commId 0x77a1 - "
             "Init COMPLETE");
}

std::string orderly_end() {
  return line("NCCL INFO comm 0x5610 rank 0 nranks 1 cudaDev 0 busId 1b000 - Destroy COMPLETE");
}

Outcome outcome_in(const std::string& log) {
  const Model model = model_of(log);
  return outcome_of(model, analyze(model)).outcome;
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
  CHECK(says(messages_of(closed), "which no recognised line of this input shows"));
  const std::string harmless = line("ras/client_support.cc:181 NCCL WARN Call to bind failed: Address already in use");
  CHECK_FALSE(says(messages_of(harmless + closed), "which no recognised line"));
}

TEST_CASE("sentences: a peer that is named by host is named", "[sentences]") {
  const std::string closed = "misc/socket.cc:72 NCCL WARN socketProgress: Connection closed by remote peer ";
  CHECK(says(messages_of(line(closed + "gpu7.cluster<44189>")), "gpu7.cluster"));
  CHECK(says(messages_of(line(closed + "172....<33759>")), "172...."));
  CHECK(says(messages_of(line(closed + ")@-\x1f"
                                       "8\x7f<4>")),
             "does not say which"));
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
  const std::vector<std::string> paths = describe_paths(model_of(init), false);
  CHECK(std::any_of(paths.begin(), paths.end(),
                    [](const std::string& path) { return path == "between hosts: NET/Socket"; }));
}

TEST_CASE("sentences: direct access between AMD's GPUs goes over xGMI or PCIe") {
  const std::string channel = "NCCL INFO Channel 00/0 : 3[c1000] -> 2[c6000] via P2P/IPC";
  const auto paths_of = [](const std::string& log) {
    std::string all;
    for (const std::string& one : describe_paths(model_of(log), false)) all += one + "\n";
    return all;
  };
  CHECK(says(paths_of(line(channel + " comm 0x55d0 nRanks 08")), "P2P, over xGMI or PCIe"));
  CHECK(says(paths_of(line(channel)), "P2P, over NVLink or PCIe"));
}

TEST_CASE("sentences: a table of RAS without its head tells the number of ranks", "[sentences]") {
  const Report report =
      analyze(model_of("    #  in group  per comm  per node  per comm  in group\n"
                       "    0        32         1         8         8       256   RUNNING      OK\n"
                       "    1         1        32         8       256       256   RUNNING      OK\n"));
  CHECK(says(check_of(report, "ranks").detail, "NCCL's RAS counts 256 ranks on 32 nodes"));
}

TEST_CASE("sentences: paths are those of a communicator that shows its connections", "[sentences]") {
  const std::string other = "worker-1:200:204 [0] NCCL INFO ";
  const Model model =
      model_of(working_job() + other + "comm 0x5620 rank 5 nranks 64 cudaDev 0 busId 1b000 - Init COMPLETE\n" +
               "worker-2:300:304 [0] NCCL INFO Channel 00 : 16[0] -> 24[0] [send] via NET/Socket/0\n");
  std::string all;
  for (const std::string& one : describe_paths(model, false)) all += one + "\n";
  CHECK(says(all, "the widest, shows no connection"));
  CHECK_FALSE(says(all, "not shown"));
  CHECK(says(all, "NET/Socket"));
}

TEST_CASE("sentences: headlines say what happened", "[sentences]") {
  CHECK(says(headline_of(line("misc/nvmlwrap.cc:94 NCCL WARN nvmlInit_v2() failed: Driver/library version mismatch") +
                         line("NCCL INFO init.cc:478 -> 2") + line("NCCL INFO init.cc:512 -> 2")),
             "Driver/library version mismatch"));
  CHECK(says(headline_of(line("transport/shm.cc:93 NCCL WARN Call to open failed: No such file or directory")),
             "No such file or directory"));
}

TEST_CASE("sentences: what launchers, shells and examples print of a failure ends the job", "[sentences]") {
  constexpr std::string_view ends[] = {
      "[worker-0:00104] *** Process received signal ***\n[worker-0:00104] Signal: Bus error (7)\n",
      "[worker-0:00104] Signal: Aborted (6)\n[worker-0:00104] *** End of error message ***\n",
      "MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD\nwith errorcode 1.\n",
      "MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD\n  Proc: [[35541,1],1]\n  Errorcode: 1\n",
      "Abort(1) on node 1 (rank 1 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 1) - process 1\n",
      "Primary job  terminated normally, but 1 process returned\na non-zero exit code.\n",
      "mpirun detected that one or more processes exited with non-zero status, thus causing\n",
      "torch.distributed.elastic.multiprocessing.api.SignalException: Process 99 got signal: 15\n",
      "bash: line 1:   104 Killed                  python train.py\n",
      "Failed, NCCL error example.cc:45 'unhandled system error'\n",
      "Failed: Cuda error common.cu:31 'an illegal memory access was encountered'\n",
  };
  for (const std::string_view end : ends) {
    INFO(end);
    const std::string log = working_job().append(end);
    CHECK(outcome_in(log) == Outcome::failed);
    const Report report = analyze(model_of(log));
    REQUIRE_FALSE(report.findings.empty());
    CHECK(report.findings.front().severity() == Severity::error);
  }
  constexpr std::string_view mentions[] = {"the handler prints Signal: Bus error (7)\n",
                                           "INFO the primary job terminated normally, but was slow\n",
                                           "INFO test of SignalException: Process 99 got signal: 15\n",
                                           "12 processes were Killed  by the test\n",
                                           "=   EXIT CODE: 0\n",
                                           "exits with return code = 0\n",
                                           "command terminated with exit code 0\n",
                                           "srun: error: worker-1: task 3: Exited with exit code 0\n"};
  for (const std::string_view mention : mentions) {
    INFO(mention);
    CHECK(outcome_in(working_job().append(mention)) != Outcome::failed);
  }
}

TEST_CASE("sentences: a process that goes on says nothing of one that failed", "[sentences]") {
  const auto two = [](std::string_view call, std::string_view state) {
    std::string log;
    for (const std::string rank : {"0", "1"})
      log += "[rank" + rank + "]: worker-0:10" + rank + ":110 [" + rank + "] NCCL INFO " + std::string(call) +
             "comm 0x561" + rank + " rank " + rank + " nranks 2 cudaDev " + rank + " busId 1" + rank + "000" +
             std::string(state) + "\n";
    return log;
  };
  const std::string begun = two("ncclCommInitRank ", " commId 0x77a1 - Init START") +
                            two("ncclCommInitRank ", " commId 0x77a1 - Init COMPLETE");
  const std::string end =
      "[rank0]: worker-0:100:110 [0] NCCL INFO comm 0x5610 rank 0 nranks 2 cudaDev 0 busId 10000 - Destroy COMPLETE\n";
  for (const std::string_view failure : {"[rank1]: ValueError: bad config\n", "ValueError: bad config\n",
                                         "[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate\n"}) {
    INFO(failure);
    CHECK(outcome_in(begun + std::string(failure) + end) == Outcome::failed);
  }
  CHECK(outcome_in(begun + "Killed\n" + end) == Outcome::failed);
  CHECK(outcome_in(begun + "Killed\n" + two("", " - Destroy COMPLETE")) == Outcome::completed);
  CHECK(outcome_in(begun + "ValueError: bad config\n" + two("", " - Destroy COMPLETE")) == Outcome::completed);
}

TEST_CASE("sentences: what a job outlived that completed is a note", "[sentences]") {
  const std::string end = line("NCCL INFO comm 0x5610 rank 0 nranks 1 cudaDev 0 busId 1b000 - Destroy COMPLETE");
  constexpr std::string_view warnings[] = {
      "misc/socket.cc:49 NCCL WARN socketProgress: Connection closed by remote peer worker-0<53735>",
      "transport/p2p.cc:275 NCCL WARN Cuda failure 400 'invalid resource handle'",
      "misc/socket.cc:483 NCCL WARN socketStartConnect: Connect to 10.0.4.52<41234> failed : Connection refused"};
  for (const std::string_view warning : warnings) {
    INFO(warning);
    const Report report = analyze(model_of(working_job() + line(warning) + end));
    for (const Finding& finding : report.findings) CHECK(finding.severity() == Severity::info);
    const Report failed = analyze(model_of(working_job() + line(warning)));
    REQUIRE_FALSE(failed.findings.empty());
    CHECK(failed.findings.front().severity() != Severity::info);
  }
}

TEST_CASE("sentences: a shared memory file without permission is no matter of room", "[sentences]") {
  const std::string headline = headline_of(
      line("misc/shmutils.cc:87 NCCL WARN Error: failed to create shared memory file /dev/shm/nccl-AbCdEf, error "
           "Permission denied (13)") +
      line("NCCL INFO init.cc:478 -> 2"));
  CHECK(says(headline, "could not be made: Permission denied"));
}

TEST_CASE("sentences: a peer that cannot be reached is told while NCCL tries again", "[sentences]") {
  const std::string retry = line(
      "NCCL INFO socketPollConnect: connect to 10.1.0.2<33445> returned No route to host, retrying (3/34) after sleep "
      "for 300 msec");
  CHECK(says(messages_of(retry), "No route to host"));
  CHECK_FALSE(says(messages_of(retry + working_job()), "No route to host"));
  const std::string refused = line(
      "NCCL INFO socketPollConnect: connect to 10.1.0.2<33445> returned Connection refused, retrying (3/34) after "
      "sleep "
      "for 300 msec");
  CHECK_FALSE(says(messages_of(refused), "refused"));
}

TEST_CASE("sentences: a plugin that NCCL gives up is told without the line that loads it", "[sentences]") {
  const std::string rest = line("NCCL INFO Using network Socket");
  CHECK(says(messages_of(line("plugin/net.cc:312 NCCL ATTN Failed to initialize NET plugin AWS Libfabric") + rest),
             "AWS Libfabric"));
  CHECK_FALSE(says(messages_of(line("NCCL INFO Failed to initialize NET plugin IB") + rest), "plugin IB"));
}

TEST_CASE("sentences: two addresses of one host name are two machines", "[sentences]") {
  const auto process = [](std::string_view pid, std::string_view address) {
    const std::string own = "node:" + std::string(pid) + ":104 [0] ";
    return own + "NCCL INFO Bootstrap : Using eth0:" + std::string(address) + "<0>\n" + own +
           "init.cc:497 NCCL WARN Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 1b000\n";
  };
  CHECK(says(headline_of(process("100", "10.0.0.1") + process("101", "10.0.0.2")), "the same host name"));
  CHECK(says(headline_of(process("100", "10.0.0.1") + process("101", "10.0.0.1")), "use the same GPU"));
}

TEST_CASE("sentences: what all ranks outlived is a note", "[sentences]") {
  constexpr std::string_view faults[] = {
      "Memory cgroup out of memory: Killed process 999 (stress) total-vm:123kB, anon-rss:12kB\n",
      "NVRM: Xid (PCI:0000:5d:00): 79, pid=77, name=other, GPU has fallen off the bus.\n"};
  for (const std::string_view fault : faults) {
    INFO(fault);
    const Report survived = analyze(model_of(working_job().append(fault) + orderly_end()));
    REQUIRE_FALSE(survived.findings.empty());
    CHECK(survived.findings.front().severity() == Severity::info);
    CHECK(analyze(model_of(working_job() + orderly_end().append(fault))).findings.front().severity() ==
          Severity::error);
  }
  const std::string mild = working_job() + "NVRM: Xid (PCI:0000:5d:00): 94, pid=77, name=other, Contained ECC error\n";
  CHECK(analyze(model_of(mild)).findings.front().severity() == Severity::warning);
  CHECK(outcome_in(mild) != Outcome::failed);
}

TEST_CASE("sentences: the words of a C++ exception are the headline", "[sentences]") {
  const std::string thrown = "terminate called after throwing an instance of 'std::runtime_error'\n";
  CHECK(says(headline_of(working_job() + thrown), "The program threw std::runtime_error"));
  CHECK(says(messages_of(working_job() + thrown + "  what():  the reader is gone\n"), "the reader is gone"));
  const std::string nccl =
      working_job() + "[1,1]<stderr>:" + thrown + "[1,1]<stderr>:  what():  NCCL Error 2: unhandled system error\n";
  CHECK(says(headline_of(nccl), "NCCL Error 2: unhandled system error"));
  CHECK_FALSE(says(messages_of(nccl), "terminate"));
}

TEST_CASE("sentences: each cause has its own words", "[sentences]") {
  CHECK(says(messages_of("worker-0: Test CUDA failure common.cu:294 'out of memory'\n"), "ran out of memory"));
  CHECK(says(messages_of(line("graph/search.cc:719 NCCL WARN XML Import Channel : dev 1 not found.")),
             "another set of GPUs"));
  const std::string bind = line(
      "transport/nvls.cc:379 NCCL WARN Failed to bind NVLink SHARP (NVLS) Multicast memory of size 2097152 : CUDA "
      "error 3 'initialization error'.");
  CHECK(says(headline_of(bind), "driver library is not initialised"));
  CHECK_FALSE(says(messages_of(line("nccl_net_ofi_rdma.c:900 NCCL WARN NET/OFI Request 0x7f1 completed")),
                   "failed to initialise"));
  CHECK(says(messages_of(line("misc/socket.cc:49 NCCL WARN socketProgress: Connection closed by remote peer "
                              "<cluster>.ibnet<53735>")),
             "<cluster>.ibnet"));
}

TEST_CASE("sentences: programs and documents beside logs report nothing", "[sentences]") {
  const std::string quoted = "torch.OutOfMemoryError: CUDA out of memory.\n";
  const auto findings_of_both = [](std::string_view name, const std::string& text) {
    Analyzer analyzer;
    analyzer.feed("job.log", working_job());
    analyzer.feed(name, text);
    return std::move(analyzer).finish().report.findings.size();
  };
  CHECK(findings_of_both("errors.txt", "import os\n\"\"\"\n" + quoted + "\"\"\"\n") == 0);
  CHECK(findings_of_both("notes.txt", "# When memory ends\n\n" + quoted) == 0);
  CHECK(findings_of_both("notes.md", "If you see\n" + quoted) == 0);
  CHECK(findings_of_both("rank1.txt", "starting\n" + quoted) > 0);
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
