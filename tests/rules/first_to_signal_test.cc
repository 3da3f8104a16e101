// Tests what follows from PyTorch's line that names the first process group of a rank to give up.

#include <string>

#include "evidence/evidence_models.h"

namespace nccl_analyze {
namespace {

/// What the watchdog of a process group prints when it gives up on a rank.
std::string gives_up(const std::string& rank, const std::string& group, int sequence, bool is_first) {
  const std::string place = "[PG ID 9 PG GUID " + group + " Rank " + rank + "] ";
  const std::string head = "[rank" + rank + "]:[E813 12:25:30.947799196 ProcessGroupNCCL.cpp:632] ";
  const std::string number = std::to_string(sequence);
  return head + place + "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=" + number +
         ", OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600038 milliseconds before timing "
         "out.\n" +
         head + place + " failure detected by watchdog at work sequence id: " + number +
         " PG status: last enqueued work: " + number + ", last completed work: " + std::to_string(sequence - 1) + "\n" +
         (is_first ? head + place + "First PG on this rank to signal dumping.\n" : "");
}

}  // namespace

TEST_CASE("first to signal: the group that gave up first on a rank comes before the others of this rank") {
  const std::vector<NamedText> logs{{"0", gives_up("0", "0(default_pg)", 7, false)},
                                    {"2", gives_up("2", "2(tp)", 41, true) + gives_up("2", "0(default_pg)", 7, false)}};
  const auto found = findings_of(model_of(logs), "watchdog-timeout");
  REQUIRE(found.size() == 2);
  CHECK(found[0].message.find("group GUID 2(tp), the first to give up on rank 2.") != std::string::npos);
  CHECK(found[0].stage() == Stage::hang);
  CHECK(found[1].message.find("GUID 0(default_pg).") != std::string::npos);
  CHECK(found[1].stage() == Stage::symptom);
  check_same_report(logs);
}

TEST_CASE("first to signal: a rank that times out in another group is not called silent") {
  const std::string size =
      "node-0:1:1 [0] NCCL INFO comm 0x5 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 1000 commId 0x7 - Init COMPLETE\n";
  std::vector<NamedText> logs{{"0", size + gives_up("0", "0(default_pg)", 7, false)},
                              {"1", gives_up("1", "0(default_pg)", 7, false)},
                              {"2", gives_up("2", "0(default_pg)", 7, false)}};
  const auto silent = findings_of(model_of(logs), "watchdog-timeout");
  REQUIRE(silent.size() == 1);
  CHECK(silent[0].message.ends_with(". Rank 3 does not report a timeout: look there first"));
  REQUIRE(silent[0].suspects.size() == 1);
  CHECK(silent[0].suspects[0].rank == 3);

  logs.push_back({"3", gives_up("3", "2(tp)", 41, false)});
  const auto found = findings_of(model_of(logs), "watchdog-timeout");
  REQUIRE(found.size() == 2);
  CHECK(found[0].message.ends_with(". Rank 3 reports the timeout of another operation instead"));
  for (const Suspect& one : found[0].suspects) CHECK(one.why.empty());
}

TEST_CASE("first to signal: groups that gave up first on different ranks keep their order") {
  const auto found = findings_of(model_of({{"0", gives_up("0", "0(default_pg)", 7, true)},
                                           {"2", gives_up("2", "2(tp)", 41, true)},
                                           {"3", gives_up("3", "2(tp)", 41, false)}}),
                                 "watchdog-timeout");
  REQUIRE(found.size() == 2);
  CHECK(found[0].message.find("GUID 0(default_pg), the first to give up on rank 0.") != std::string::npos);
  CHECK(found[1].message.find("GUID 2(tp), the first to give up on rank 2.") != std::string::npos);
  CHECK(found[1].stage() == Stage::hang);
}

TEST_CASE("first to signal: the only group that timed out is not called the first") {
  const std::string observer =
      "[rank0]:[E813 12:25:31.213133402 ProcessGroupNCCL.cpp:1746] [PG ID 0 PG GUID 0(default_pg) Rank 0] Received a "
      "dump signal due to a collective timeout from this local rank and we will try our best to dump the debug info. "
      "Last enqueued NCCL work: 593, last completed NCCL work: 593.\n";
  const auto found = findings_of(model_of_text(gives_up("0", "1", 57, true) + observer), "watchdog-timeout");
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find("first to give up") == std::string::npos);
  // Alone, the line proves no timeout.
  CHECK(model_of_text("[rank0]:[E813 12:25:30 ProcessGroupNCCL.cpp:2106] [PG ID 1 PG GUID 1 Rank 0] First PG on this "
                      "rank to signal dumping.\n")
            .stuck.empty());
}

}  // namespace nccl_analyze
