// Tests lines of other programs: they are read if they explain a failure or quote NCCL, and never counted as NCCL's.

#include "parser/external.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "catch.h"
#include "messages/families.h"
#include "model_of.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "row_example.h"
#include "rules/support/external_failures.h"

namespace nccl_analyze {
namespace {

struct Read {
  std::vector<std::string> names, messages;
  std::vector<Level> levels;
  ParseStats stats;
};

Read read(std::string_view text) {
  Read all;
  Parser parser{SourceId{0}, [&](const Record& record) {
                  all.names.emplace_back(event_name(record.event));
                  all.messages.emplace_back(record.message);
                  all.levels.push_back(record.level);
                }};
  parser.feed(text);
  parser.finish();
  all.stats = parser.stats();
  return all;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("external: what other programs say is read and not counted", "[external]") {
  const Read all = read(
      "[ 12.5] Memory cgroup out of memory: Killed process 101 (python), UID 0, total-vm:98304kB\n"
      "srun: error: worker-1: task 3: Segmentation fault (core dumped)\n"
      "[rank3]: RuntimeError: shapes do not fit\n"
      "NVRM: Xid (PCI:0000:4b:00): 79, pid=4711, GPU has fallen off the bus.\n");
  CHECK(all.names == Names{"process_ended", "process_ended", "program_raised", "gpu_faulted"});
  CHECK(all.levels == std::vector<Level>(4, Level::external));
  CHECK(all.stats.nccl_lines == 0);
  CHECK(all.stats.lines == 4);
}

TEST_CASE("external: every row of other programs is read in a line of its own, behind what launchers print",
          "[external]") {
  const std::string ras_head =
      "NCCL version 2.26.2 compiled with CUDA 12.6\nCUDA runtime version 12060, driver version 12060\n"
      "(total)   per node  per process    (total)  (total)\n";
  for (const Row& row : external_family.rows) {
    const bool is_of_ras = row.kind->name.starts_with("ras_");
    // Lines of PyTorch are recognised by the name of this file.
    const bool is_of_watchdog = row.kind->name == "watchdog_reported" || row.kind->name == "first_to_signal";
    const std::string own = is_of_watchdog ? "[E ProcessGroupNCCL.cpp:1785] " : "";
    for (const std::string& example : examples_of(row)) {
      for (const std::string& before : {own, "[rank3]: " + own}) {
        INFO(before << example);
        const Read all = read((is_of_ras ? ras_head : before) + example + "\n");
        REQUIRE_FALSE(all.names.empty());
        CHECK(all.names.back() == row.kind->name);
        CHECK(all.messages.back() == example);
        CHECK(all.levels.back() == Level::external);
      }
    }
  }
}

TEST_CASE("external: an exception counts only where a traceback would end", "[external]") {
  CHECK(read("2026-01-31 10:00:00,123 WARNING retrying after RuntimeError: not yet\n").names.empty());
  CHECK(read("print('ValueError: x')\n").names.empty());
  CHECK(read("MyRuntimeError: mine\n").names.empty());
  CHECK(read("(Worker pid=12) ERROR 06-17 19:57:56 [executor.py:12] ValueError: no\n").names ==
        Names{"program_raised"});
}

TEST_CASE("external: NCCL's words in a framework's exception are NCCL's", "[external]") {
  const std::string_view plain =
      "torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:275, invalid usage (run with "
      "NCCL_DEBUG=WARN for details), NCCL version 2.20.5\n"
      "ncclInvalidUsage: This usually reflects invalid usage of NCCL library.\n"
      "Last error:\n\n"
      "Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 10\n";
  const Read all = read(plain);
  REQUIRE(!all.names.empty());
  CHECK(all.names.back() == "duplicate_gpu_detected");
  const Read one = read(
      "10: ncclSystemError: System call failed. 10: Last error: 10: socketStartConnect: Connect to "
      "127.0.0.1<45069> failed : Software caused connection abort\n");
  REQUIRE(one.names.size() == 1);
  CHECK(one.names[0] == "connect_failed");
  const Model model = model_of(plain);
  REQUIRE(model.processes.size() == 1);
  CHECK(model.processes[0].version == "2.20.5");
  CHECK(model.sources[0].stats.nccl_lines == 1);  // Only the version line counts.
}

TEST_CASE("external: PyTorch's words behind NCCL's in one line are not NCCL's", "[external]") {
  const Model model = model_of(
      "NCCL error: remote process exited or there was a network error, NCCL version 2.20.5  ncclRemoteError: A call "
      "failed.      Last error:      NET/IB : Got completion from peer 172.30.45.48<38536> with error 5, opcode 48, "
      "len "
      "32710, vendor err 249         Exception raised from checkForNCCLErrorsInternal at ProcessGroupNCCL.cpp:1970\n");
  REQUIRE(!model.incidents.empty());
  for (const Incident& one : model.incidents) CHECK(one.message.find("Exception raised") == std::string::npos);
}

TEST_CASE("external: a watchdog's line that was wrapped is one", "[external]") {
  const Model model = model_of(
      "[rank13]:[E909 09:55:29.3 ProcessGroupNCCL.cpp:607] [Rank 13] Watchdog caught collective operation timeout: \n"
      "WorkNCCL(SeqNum=2070, OpType=REDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600068 milliseconds "
      "before timing out.\n"
      "[rank7]:[E909 09:55:29.9 ProcessGroupNCCL.cpp:1664] [PG 0 (default_pg) Rank 7] Exception (either an error or "
      "timeout) detected \n"
      "by watchdog at work: 2070, last enqueued NCCL work: 2082, last completed NCCL work: 2069.\n");
  REQUIRE(model.stuck.size() == 2);
  CHECK(model.stuck[0].rank == 13);
  CHECK(model.stuck[0].operation == "REDUCE");
  CHECK(model.stuck[1].group == "0 (default_pg)");
  CHECK(model.stuck[1].rank == 7);
  CHECK(model.stuck[1].enqueued == 2082);
}

TEST_CASE("external: what was wrapped twice, inside words, is one line", "[external]") {
  const Model model = model_of(
      "[rank0]:[E1120 09:55:29.340428860 ProcessGroupNCCL.cpp:632] [Rank 0] Watchdog caught collective oper\n"
      "ation timeout: WorkNCCL(SeqNum=42, OpType=ALLREDUCE, NumelIn=1048576, NumelOut=1048576, Timeout(ms)=\n"
      "600000) ran for 600068 milliseconds before timing out.\n"
      "[rank1]:[E1120 09:55:29.340428860 ProcessGroupNCCL.cpp:632] [Rank 1] Watchdog caught collective oper\n"
      "ation timeout: WorkNCCL(SeqNum=42, OpType=ALLREDUCE, NumelIn=1048576, NumelOut=1048576, Timeout(ms)=\n"
      "600000) ran for 600068 milliseconds before timing out.\n");
  REQUIRE(model.stuck.size() == 2);
  CHECK(model.stuck[0].rank == 0);
  CHECK(model.stuck[1].rank == 1);
  CHECK(model.stuck[1].elements_in == 1048576);
  CHECK(model.stuck[1].timeout_seconds == 600);
}

TEST_CASE("external: an exception is read with the lines that someone wrapped", "[external]") {
  const Model model = model_of(
      "ValueError: Free memory on device cuda:1 (60.75/80.00 GiB) on startup is\n"
      "less than desired GPU memory utilization (0.9, 72.0 GiB)\n"
      "srun: error: node-2: task 1: Exited with exit code 1\n");
  REQUIRE(model.incidents.size() == 2);
  CHECK(model.incidents[0].error ==
        "Free memory on device cuda:1 (60.75/80.00 GiB) on startup is less than desired GPU memory utilization (0.9, "
        "72.0 GiB)");
  CHECK(model.incidents[0].evidence.count == 1);
  const Model other = model_of(
      "ValueError: the value is out of the range that the configuration file of this job allows\n"
      "python: can't open file 'train.py'\n");
  REQUIRE(!other.incidents.empty());
  CHECK(other.incidents[0].error == "the value is out of the range that the configuration file of this job allows");
}

TEST_CASE("external: an exception is quoted with the frame above it that names who shares memory", "[external]") {
  const std::string frame = "  handle = torch_symm_mem.rendezvous(buffer, group)\n";
  const std::string raised = "RuntimeError: CUDA driver error: invalid argument\n";
  const std::string quoted =
      "handle = torch_symm_mem.rendezvous(buffer, group) ... " + raised.substr(0, raised.size() - 1);
  const auto quote_of = [](const std::string& log) {
    const Model model = model_of(log);
    return model.quotes.size() == 1 ? std::string(model.quotes.front().text) : std::string();
  };
  CHECK(quote_of(frame + raised) == quoted);
  std::string between;
  for (int i = 0; i < 9; ++i) between += "  step()\n";
  CHECK(quote_of(frame + between + raised) == quoted);
  CHECK_FALSE(quote_of(frame + between + between + raised).starts_with("handle"));
  CHECK(quote_of("(Worker_TP0 pid=7) ERROR " + frame + "(Worker_TP0 pid=7) ERROR " + raised).starts_with("handle"));
  CHECK_FALSE(
      quote_of("(Worker_TP0 pid=7) ERROR " + frame + "(Worker_TP1 pid=8) ERROR " + raised).starts_with("handle"));
  CHECK_FALSE(quote_of("SymmMemCommunicator: no symm_mem here.\n" + raised).starts_with("Symm"));
}

TEST_CASE("external: equal exceptions of two ranks are one, whole or wrapped", "[external]") {
  const std::string half =
      "RuntimeError: Detected mismatch between collectives on ranks. Rank 0 is running collective: "
      "CollectiveFingerPrint(OpType=ALLGATHER, TensorShape\n=[41, 256], TensorDtypes=Float)\n";
  const Model model = model_of(half + half);
  REQUIRE(model.incidents.size() == 1);
  CHECK(model.incidents[0].kind == IncidentKind::phrase_seen);
  CHECK(model.incidents[0].evidence.count == 2);
}

TEST_CASE("external: NCCL's words behind `Last error:` may be wrapped", "[external]") {
  const Model model = model_of(
      "(VllmWorkerProcess pid=1695) ERROR 01-15 02:47:32 multiproc_worker_utils.py:226] Last error:\n"
      "(VllmWorkerProcess pid=1695) ERROR 01-15 02:47:32 multiproc_worker_utils.py:226] Error while creatin\n"
      "g shared memory segment /dev/shm/nccl-g0wGsu (size 9637888)\n");
  REQUIRE(model.incidents.size() == 1);
  CHECK(model.incidents[0].kind == IncidentKind::shared_memory_failed);
}

TEST_CASE("external: the words behind `Last error:` may begin like decoration", "[external]") {
  for (const std::string head : {"", "[rank1]: ", "(Worker_TP1 pid=77) ERROR 01-15 02:47:32 [core.py:22] "}) {
    INFO(head);
    const Model model =
        model_of(head + "Last error:\n" + head + "FP8 reduction support begins with sm90 capable devices.\n");
    REQUIRE(model.incidents.size() == 1);
    CHECK(model.incidents[0].kind == IncidentKind::other_warning);
    CHECK(model.incidents[0].message.starts_with("FP8 reduction support"));
  }
}

TEST_CASE("external: a process is made for quoted words only where NCCL itself is silent", "[external]") {
  const Model model = model_of(
      "a:1:1 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>\n"
      "a:2:2 [1] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>\n"
      "Last error:\nDuplicate GPU detected : rank 1 and rank 0 both on CUDA device 10\n");
  CHECK(model.processes.size() == 2);
  CHECK(model.incidents.empty());
}

TEST_CASE(
    "external: the report of the RAS client gives the operation counts of groups of ranks, and nothing without its "
    "head",
    "[external]") {
  const std::string_view report =
      "NCCL version 2.26.2 compiled with CUDA 12.6\nCUDA runtime version 12060, driver version 12060\n\n"
      "  Nodes  Processes         GPUs  Processes     GPUs\n(total)   per node  per process    (total)  (total)\n"
      "      4          8            1         32       32\n\n"
      "#0-0 (fa93daea854b060b) MISMATCH\n  Communicator ranks have different AllGather operation counts\n"
      "  30 ranks have launched up to operation 640\n  2 ranks have launched up to operation 641\n"
      "  Rank 12 -- GPU 4 managed by process 323032 on node 10.0.0.1\n";
  const Model model = model_of(report);
  REQUIRE(model.launch_counts.size() == 1);
  const RasOpCounts& counts = model.launch_counts[0];
  CHECK(counts.operation == "AllGather");
  REQUIRE(counts.groups.size() == 2);
  REQUIRE(counts.listed.size() == 1);
  CHECK(counts.listed[0].rank == 12);
  CHECK(counts.listed[0].launched == 641);
  CHECK(counts.listed[0].pid == 323032);
  CHECK(counts.listed[0].device == 4);
  CHECK(counts.listed[0].host == "10.0.0.1");
  CHECK(counts.comm_id == 0xfa93daea854b060b);
  REQUIRE(model.ras_jobs.size() == 1);
  CHECK(model.ras_jobs[0].nodes == 4);
  CHECK(model.ras_jobs[0].processes == 32);
  CHECK(model.ras_jobs[0].gpus == 32);
  CHECK(model_of(report.substr(report.find("#0-0"))).launch_counts.empty());  // The report's head is missing.
  std::string without_size(report);
  without_size.erase(report.find("  Nodes"), report.find("#0-0") - report.find("  Nodes"));
  const Model counts_only = model_of(without_size);
  CHECK(counts_only.ras_jobs.empty());
  CHECK(counts_only.launch_counts.size() == 1);
  CHECK(counts_only.has_tool_output());
}

TEST_CASE("external: the sizes of a job of unlike nodes are read from the totals only", "[external]") {
  const Model model = model_of(
      "NCCL version 2.26.2 compiled with CUDA 12.6\nCUDA runtime version 12060, driver version 12060\n\n"
      "  Nodes  Processes         GPUs\n          per node  per process\n      3          8            1\n"
      "      1          6            1\n\n  Nodes  Processes         GPUs\n(total)    (total)      (total)\n"
      "      4         30           30\n");
  REQUIRE(model.ras_jobs.size() == 1);
  CHECK(model.ras_jobs[0].nodes == 4);
  CHECK(model.ras_jobs[0].processes == 30);
  CHECK(model.ras_jobs[0].gpus == 30);
}

TEST_CASE("external: the rank in the job and the group without its local number say which timeouts are one",
          "[external]") {
  const std::string timeout =
      "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=6, OpType=ALLREDUCE, NumelIn=8, NumelOut=8, "
      "Timeout(ms)=60000) ran for 60012 milliseconds before timing out.\n";
  const Model model = model_of("[rank1]:[E1 ProcessGroupNCCL.cpp:1] [PG ID 2 PG GUID 2(b) Rank 0] " + timeout +
                               "[rank1]:[E1 ProcessGroupNCCL.cpp:2] [PG GUID 2(b) Rank 0] " + timeout +
                               "  what():  [PG ID 2 PG GUID 2(b) Rank 0] " + timeout +
                               "[rank5]:[E1 ProcessGroupNCCL.cpp:1] [PG ID 4 PG GUID 2(b) Rank 2] " + timeout);
  REQUIRE(model.stuck.size() == 2);
  CHECK(model.stuck[0].group == "GUID 2(b)");
  CHECK(model.stuck[0].rank == 0);
  CHECK(model.stuck[0].global_rank == 1);
  CHECK(model.stuck[1].group == "GUID 2(b)");
  CHECK(model.stuck[1].global_rank == 5);
}

TEST_CASE("external: PyTorch's desync report says which ranks stand where", "[external]") {
  const Model model = model_of(
      "0: \t   - [1, 4] joined but didn't finish collective #7 (count from 1)\n"
      "0: \t     [2] finished collective #7, but didn't join collective #8 (count from 1)\n"
      "\t - To our best knowledge, ranks [5] are the lagging ranks that caused this timeout. They never joined any "
      "collectives\n"
      "\t     [0, 3] finished ALLREDUCE\n");
  REQUIRE(model.desynced.size() == 3);
  CHECK(model.desynced[0].ranks == std::vector<int>{1, 4});
  CHECK(model.desynced[0].joined == 7);
  CHECK(model.desynced[1].ranks == std::vector<int>{2});
  CHECK(model.desynced[1].finished == 7);
  CHECK(model.desynced[2].ranks == std::vector<int>{5});
  CHECK(model.desynced[2].joined == -1);
}

TEST_CASE("external: a kill is a cause, an exit code a symptom, SIGTERM and success are neither", "[external]") {
  struct End {
    std::string_view line;
    std::optional<Stage> stage;
  };
  constexpr End ends[] = {
      {"srun: error: worker-1: task 3: Killed\n", Stage::program},
      {"srun: error: worker-1: task 3: Exited with exit code 1\n", Stage::symptom},
      {"failed (exitcode: 1) local_rank: 3 (pid: 4711) of binary: /usr/bin/python3\n", Stage::symptom},
      {"failed (exitcode: -9) local_rank: 3 (pid: 4711) of binary: /usr/bin/python3\n", Stage::program},
      {"failed (exitcode: -15) local_rank: 3 (pid: 4711) of binary: /usr/bin/python3\n", std::nullopt},
      {"failed (exitcode: 0) local_rank: 3 (pid: 4711) of binary: /usr/bin/python3\n", std::nullopt},
      {"pod worker-1 OOMKilled\n", Stage::hardware},
  };
  for (const End& end : ends) {
    INFO(end.line);
    const Model model = model_of(end.line);
    REQUIRE(model.incidents.size() == 1);
    CHECK(stage_of_end(model, model.incidents[0]) == end.stage);
  }
}

TEST_CASE("external: a summary carries what other programs say", "[external]") {
  const std::string_view text =
      "a:1:1 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>\n[rank3]: RuntimeError: shapes do not fit\n";
  Summary summary;
  Parser parser{SourceId{0}, [&](const Record& record) { summary.add(record); }};
  parser.feed(text);
  parser.finish();
  summary.add_source(SourceId{0}, "log", parser.stats());
  ModelBuilder builder;
  summary.replay(builder);
  const Model model = std::move(builder).build();
  REQUIRE(model.incidents.size() == 1);
  CHECK(model.incidents[0].kind == IncidentKind::program_raised);
  CHECK(model.incidents[0].rank == 3);
}

}  // namespace nccl_analyze
