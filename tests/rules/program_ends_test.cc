// Tests that a program's end is found after what collectors and launchers print, whatever the exception is called.

#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "messages/families.h"
#include "model_of.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/report.h"
#include "report/sentences/outcome.h"
#include "text/traceback.h"
#include "text/wrapper.h"

namespace nccl_analyze {
namespace {

constexpr std::string_view before_lines[] = {
    "",
    "[rank0]: ",
    "[1,0]<stderr>:",
    "Nov 25 10:00:00 node1 python[123]: ",
    "2026-01-31T10:00:00+0000 node python[123]: ",
    "2026-01-31T10:00:00.123456789Z stderr F ",
    "[pod/train-worker-0/main] ",
};

/// A process that connected its rings, and the lines of its end, each after what a collector prints.
std::string log_of(std::string_view before, const std::vector<std::string_view>& end) {
  std::string log;
  const std::string_view start =
      "worker-0:100:104 [0] NCCL INFO ncclCommInitRank comm 0x5610 rank 0 nranks 1 cudaDev 0 nvmlDev 0 busId 1b000 "
      "commId 0x77a1 - Init ";
  for (const std::string_view state : {"START", "COMPLETE"})
    log.append(before).append(start).append(state).append("\n");
  for (const std::string_view line : end) log.append(before).append(line).append("\n");
  return log;
}

struct End {
  std::string messages;
  Outcome outcome = Outcome::unknown;
};

End end_of(const std::string& log) {
  const Model model = model_of(log);
  const Report report = analyze(model);
  End end;
  for (const Finding& finding : report.findings)
    if (finding.severity() == Severity::error) end.messages.append(finding.rule->id).append(finding.message);
  end.outcome = outcome_of(model, report).outcome;
  return end;
}

bool names(const End& end, std::string_view words) { return end.messages.find(words) != std::string::npos; }

const std::vector<std::string_view> frames = {
    "Traceback (most recent call last):", "  File \"t.py\", line 1, in <module>", "    main()"};

std::vector<std::string_view> raising(std::string_view last) {
  std::vector<std::string_view> lines = frames;
  lines.push_back(last);
  return lines;
}

}  // namespace

TEST_CASE("program ends: exceptions and crashes are found behind every wrapper of a stream", "[ends]") {
  for (const std::string_view before : before_lines) {
    INFO(before);
    CHECK(names(end_of(log_of(before, raising("ValueError: bad"))), "ValueError: bad"));
    CHECK(names(end_of(log_of(before, raising("AssertionError"))), "AssertionError"));
    CHECK(names(end_of(log_of(before, {"Segmentation fault (core dumped)"})), "Segmentation fault"));
    CHECK(names(end_of(log_of(before, {"Killed"})), "signal 9"));
    CHECK(names(end_of(log_of(before, {"terminate called after throwing an instance of 'std::runtime_error'",
                                       "  what():  boom"})),
                "boom"));
  }
}

TEST_CASE("program ends: the text in a line of JSON is read as a line", "[ends]") {
  const std::string traceback =
      R"(Traceback (most recent call last):\n  File \"a.py\", line 1\nmypkg.errors.TrainingFailed: loss is nan\n)";
  for (const std::string_view key : {"log", "textPayload", "msg", "message"}) {
    INFO(key);
    const std::string json = std::string("{\"").append(key).append("\": \"").append(traceback).append("\"}");
    const std::string log = log_of("", {json});
    CHECK(names(end_of(log), "TrainingFailed: loss is nan"));
  }
  CHECK(end_of(log_of("", {R"({"level": "warning", "msg": "ValueError: bad"})"})).messages.empty());
}

TEST_CASE("program ends: the place in a traceback makes a name an exception", "[ends]") {
  CHECK(names(end_of(log_of("", raising("mypkg.errors.TrainingFailed: loss is nan"))), "mypkg.errors.TrainingFailed"));
  CHECK(names(end_of(log_of("", raising("SystemExit: 1"))), "SystemExit"));
  CHECK(end_of(log_of("", raising("SystemExit: 0"))).messages.empty());
  CHECK(end_of(log_of("", {"mypkg.errors.TrainingFailed: loss is nan"})).messages.empty());
  for (const std::string_view announcement :
       {"Exception ignored in: <function f at 0x7f>", "--- Logging error ---", "Exception in thread Thread-1:"}) {
    INFO(announcement);
    const auto behind = [&](std::string_view raised) {
      std::vector<std::string_view> lines = raising(raised);
      lines.insert(lines.begin(), announcement);
      return lines;
    };
    CHECK(end_of(log_of("", behind("mypkg.errors.TrainingFailed: loss is nan"))).messages.empty());
    CHECK(names(end_of(log_of("", behind("RuntimeError: NCCL error: unhandled system error"))), "unhandled system"));
    // What ended a thread may be why the others wait.
    const bool ended_thread = announcement.starts_with("Exception in thread");
    CHECK(end_of(log_of("", behind("AttributeError: no attribute"))).messages.empty() != ended_thread);
  }
  CHECK(read_raised("socket.timeout: timed out").exception == "socket.timeout");
  CHECK(read_raised("StopIteration").exception == "StopIteration");
  CHECK_FALSE(read_raised("train.py: cannot open"));
  CHECK_FALSE(read_raised("Loss: 3"));
}

TEST_CASE("program ends: an announcement is about its own traceback", "[ends]") {
  const std::string_view announcement = "Exception ignored in: <function f at 0x7f>";
  const std::string of_other = log_of("[rank1]: ", {announcement}) + log_of("[rank0]: ", raising("ValueError: bad"));
  CHECK(names(end_of(of_other), "ValueError: bad"));
  std::vector<std::string_view> lines = {"Exception ignored in: <stdout>", "BrokenPipeError: [Errno 32] Broken pipe"};
  CHECK(end_of(log_of("", lines)).messages.empty());
  for (const std::string_view line : raising("ValueError: bad")) lines.push_back(line);
  CHECK(names(end_of(log_of("", lines)), "ValueError: bad"));
  CHECK_FALSE(names(end_of(log_of("", lines)), "BrokenPipe"));
  std::vector<std::string_view> chain = raising("AttributeError: no attribute");
  chain.insert(chain.begin(), announcement);
  chain.push_back("");
  chain.push_back("During handling of the above exception, another exception occurred:");
  chain.push_back("");
  for (const std::string_view line : raising("TypeError: bad")) chain.push_back(line);
  CHECK(end_of(log_of("", chain)).messages.empty());
}

TEST_CASE("program ends: tasks that Slurm kills are no cause", "[ends]") {
  const std::string_view killed = "srun: error: node1: tasks 0-3: Killed";
  CHECK(names(end_of(log_of("", {killed})), "signal 9"));
  const End end = end_of(log_of("", {"srun: error: node0: task 5: Exited with exit code 1", killed}));
  CHECK(end.messages.find("exit code 1") < end.messages.find("signal 9"));
}

TEST_CASE("program ends: what the shell, glibc, MPICH, kubectl and the kernel say of a crash counts", "[ends]") {
  for (const std::string_view line :
       {"Killed", "command terminated with exit code 137", "Aborted (core dumped)",
        "*** Error in `python': double free or corruption (!prev): 0x000055 ***", "free(): invalid pointer",
        "malloc(): corrupted top size", "python: loader.cc:12: void f(): Assertion `x > 0' failed.", "=   EXIT CODE: 9",
        "[Mon Nov 24 10:00:00 2025] python[12345]: segfault at 10 ip 00007f sp 00007f error 4"}) {
    INFO(line);
    CHECK(end_of(log_of("", {line})).outcome == Outcome::failed);
  }
  for (const std::string_view line : {"the old process was Killed", "command terminated with exit code 0"}) {
    INFO(line);
    CHECK(end_of(log_of("", {line})).messages.empty());
  }
}

TEST_CASE("program ends: PyTorch's watchdog says in many words that the job hangs", "[ends]") {
  const std::string_view before = "[rank0]:[E1103 07:12:43.143 ProcessGroupNCCL.cpp:1537] [PG ID 0 PG GUID 0 Rank 0] ";
  for (const std::string_view words :
       {"Heartbeat monitor timed out! Process will be terminated after dumping debug info. workMetaList_.size()=1",
        "Received a dump signal due to a collective timeout from this local rank and we will try our best to dump the "
        "debug info. Last enqueued NCCL work: 5, last completed NCCL work: 4.",
        "Terminating the process after attempting to dump debug info, due to collective timeout or exception."}) {
    INFO(words);
    const std::string line = std::string(before).append(words);
    const End end = end_of(log_of("", {line}));
    CHECK(names(end, "NCA604"));
    CHECK(end.outcome == Outcome::hung);
  }
}

TEST_CASE("program ends: behind PyTorch's hook for uncaught exceptions nothing saves the process", "[ends]") {
  const std::string_view steps[] = {"step 5 loss 2.3", "step 6 loss 2.2", "step 7 loss 2.1"};
  std::vector<std::string_view> lines = raising("ValueError: bad");
  const auto log_with = [&](std::string_view tag) {
    std::string log = log_of("", {});
    for (const std::string_view line : lines) log.append(tag).append(line).append("\n");
    for (const std::string_view step : steps) log.append(step).append("\n");
    return log;
  };
  CHECK(end_of(log_with("[rank2]: ")).outcome == Outcome::failed);
  CHECK(end_of(log_with("")).outcome == Outcome::running);  // the program went on
}

TEST_CASE("program ends: an untagged line is of nobody where other processes may print", "[ends]") {
  const auto log_with = [&](std::string_view nodes) {
    std::string log = log_of("", {});
    for (std::size_t at = 0; (at = log.find("nranks 1", at)) != std::string::npos; ++at) log.replace(at, 8, "nranks 4");
    log.append("worker-0:100:104 [0] NCCL INFO comm 0x5610 rank 0 nRanks 4 nNodes ")
        .append(nodes)
        .append(" localRanks 1 localRank 0 MNNVL 0\n");
    for (const std::string_view line : raising("ValueError: bad")) log.append(line).append("\n");
    return model_of(log);
  };
  const auto raiser = [](const Model& model) { return model.incidents.at(0).process; };
  CHECK(raiser(log_with("4")) == 0);
  CHECK(raiser(log_with("1")) == -1);
}

TEST_CASE("program ends: what NCCL warns of behind the end of all communicators harms no job", "[ends]") {
  const std::string_view comm = "worker-0:100:104 [0] NCCL INFO comm 0x5610 rank 0 nranks 1 cudaDev 0 busId 1b000 - ";
  const std::string_view warning =
      "worker-0:100:105 [0] misc/socket.cc:881 NCCL WARN socketProgress: Connection closed by remote peer "
      "worker-0<41234>\n";
  const std::string end = std::string(comm).append("Destroy COMPLETE\n");
  const std::string start = log_of("", {});
  const End late = end_of(std::string(start).append(end).append(warning));
  CHECK(late.messages.empty());
  CHECK(late.outcome == Outcome::completed);
  CHECK(names(end_of(std::string(start).append(warning)), "NCA211"));
}

TEST_CASE("program ends: a wording begins at the beginning of a word", "[ends]") {
  CHECK(end_of(log_of("", {"[rank2]: torch._dynamo.exc.BackendCompilerFailed: backend=inductor raised:"}))
            .messages.empty());
}

TEST_CASE("program ends: a line of a launcher or the kernel that is torn into NCCL's is read", "[ends]") {
  for (const Family& family : all_families())
    for (const Row& row : family.rows) {
      const std::string_view example = row.example.substr(0, row.example.find('\n'));
      for (const std::string_view level : {"WARN", "INFO"}) {
        const std::string sender = "worker-0:100:104 [0] NCCL " + std::string(level) + " ";
        CHECK(model_of(log_of("", {}) + sender + std::string(example) + "\n").processes.size() > 0);
      }
    }
}

TEST_CASE("program ends: wrappers are recognised by their form", "[ends]") {
  CHECK(wrapper_size("Nov 25 10:00:00 node1 python[123]: x") == 35);
  CHECK(wrapper_size("[1,0]<stderr>:x") == 14);
  CHECK(wrapper_size("Nov 25 was a bad day: x") == 0);
  CHECK(without_decoration("[1,0]<stderr>:ValueError: bad") == "ValueError: bad");
}

}  // namespace nccl_analyze
