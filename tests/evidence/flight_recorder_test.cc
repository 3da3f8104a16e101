// Tests that JSON of PyTorch's flight recorder becomes records that rules use, one dump for each rank.

#include <cstdlib>
#include <string>
#include <vector>

#include "evidence/evidence_models.h"
#include "report/sentences/benchmarks.h"
#include "report/sentences/recordings.h"

namespace nccl_analyze::evidence {
namespace {

std::string entry(int sequence, const std::string& operation, const std::string& state, const std::string& sizes) {
  return R"({"record_id":1,"pg_id":0,"process_group":["0","default_pg"],"collective_seq_id":)" +
         std::to_string(sequence) + R"(,"p2p_seq_id":0,"op_id":1,"profiling_name":"nccl:)" + operation +
         R"(","input_sizes":)" + sizes + R"(,"output_sizes":)" + sizes + R"(,"state":")" + state +
         R"(","timeout_ms":600000,"is_p2p":false,"retired":false})";
}

std::string dump(const std::string& entries) {
  return R"({"version":"2.10","pg_config":{"0":{"name":"0","desc":"default_pg","ranks":"[4, 5, 6, 7]"}},"pg_status":{},)"
         "\n"
         R"("entries":[)" +
         entries + "]}";
}

std::string waiting(const std::string& operation = "all_reduce", const std::string& sizes = "[[1024, 4]]") {
  return dump(entry(410, "all_reduce", "completed", "[[8]]") + ",\n" + entry(411, operation, "started", sizes));
}

std::string behind() { return dump(entry(410, "all_reduce", "completed", "[[8]]")); }

std::vector<NamedText> dumps(const std::string& last) {
  return {{"d/comm_lib_trace_rank_4", waiting()},
          {"d/nccl_trace_rank_5.json", waiting()},
          {"d/nccl_trace_rank_6", waiting()},
          {"d/nccl_trace_rank_7_host_1.json", last}};
}

}  // namespace

TEST_CASE("evidence: the flight recorder names the rank that never called a collective") {
  const Model model = model_of(dumps(behind()));
  REQUIRE(model.flight_records.size() == 4);
  const FlightRecord& first = model.flight_records[0];
  CHECK(first.global_rank == 4);
  CHECK(first.rank == 0);
  CHECK(first.name == "0");
  CHECK(first.sequence == 411);
  CHECK(first.operation == "ALLREDUCE");
  CHECK(first.elements_in == 4096);
  CHECK(first.started);
  CHECK(first.at.line == 3);
  CHECK(model.flight_records[3].sequence == -1);
  CHECK(model.flight_records[3].enqueued == 410);
  const auto found = findings_of(model, "straggler");
  REQUIRE(found.size() == 1);
  CHECK(found[0].ranks == std::vector{7});
  check_same_report(dumps(behind()));
}

TEST_CASE("evidence: dumps of ranks at the same collective are no finding") {
  CHECK(analyze(model_of(dumps(waiting()))).findings.empty());
}

TEST_CASE("evidence: another operation or size at the same number is a mismatch") {
  CHECK(findings_of(model_of(dumps(waiting("broadcast"))), "collective-mismatch").size() == 1);
  CHECK(findings_of(model_of(dumps(waiting("all_reduce", "[[7]]"))), "collective-mismatch").size() == 1);
}

TEST_CASE("evidence: the flight recorder explains the timeout of a watchdog") {
  std::vector<NamedText> sources = dumps(behind());
  sources.push_back({"log",
                     "[rank4]:[E ProcessGroupNCCL.cpp:607] [Rank 0] [PG ID 0 PG GUID 0(default_pg) Rank 0] Watchdog "
                     "caught collective operation timeout: WorkNCCL(SeqNum=411, OpType=ALLREDUCE, NumelIn=4096, "
                     "NumelOut=4096, Timeout(ms)=600000) ran for 600068 milliseconds before timing out.\n"});
  const Model model = model_of(sources);
  const auto found = findings_of(model, "watchdog-timeout");
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].suspects.size() == 1);
  CHECK(found[0].suspects[0].rank == 7);
  CHECK(findings_of(model, "straggler").empty());
}

TEST_CASE("evidence: durations of the flight recorder give a bandwidth if type and sizes are there") {
  const auto timed = [](const std::string& operation, const std::string& sizes, const std::string& milliseconds,
                        const std::string& type = "BFloat16") {
    std::string text = entry(1, operation, "completed", sizes);
    return text.replace(text.find("\"is_p2p\""), 0,
                        "\"input_dtypes\":[\"" + type + "\"],\"duration_ms\":" + milliseconds + ",");
  };
  const auto gathered = [&] {
    std::string text = timed("_all_gather_base", "[[67108864]]", "4.0");
    const std::string parts = R"("output_sizes":[[67108864]])";
    return text.replace(text.find(parts), parts.size(), R"("output_sizes":[[4,67108864]])");
  };
  const auto dump_of = [&](const std::string& milliseconds) {
    return dump(timed("all_reduce", "[[8]]", "0.1") + ",\n" + timed("all_reduce", "[[1024,524288]]", milliseconds) +
                ",\n" + timed("all_reduce", "[[1024,524289]]", "1.0", "QInt8") + ",\n" +
                timed("_all_gather_base", "[[1073741824]]", "1.0") + ",\n" + gathered() + ",\n" +
                timed("broadcast", "[[1073741824]]", "1.0"));
  };
  const std::vector<NamedText> texts{{"trace_rank_4", dump_of("16.0")}, {"trace_rank_5", dump_of("12.0")}};
  const Model model = model_of(texts);
  REQUIRE(model.durations.size() == 4);
  CHECK(model.durations[0].operation == Text("AllGather"));
  CHECK(model.durations[0].size == 536870912);
  CHECK(model.durations[2].size == 1073741824);
  CHECK(model.durations[2].group == "default_pg:0");
  const std::vector<std::string> said = describe_benchmarks(model);
  REQUIRE(said.size() == 3);
  CHECK(
      said[2] ==
      "AllReduce of default_pg:0, 4 ranks, by the flight recorder: busbw 134.22 GB/s at 1 GiB, in the shortest of the "
      "durations of 2 ranks (12.00 ms), which may include waiting for late ranks");
  check_same_report(texts);
  CHECK(model_of({{"trace_rank_4", waiting()}}).durations.empty());
}

TEST_CASE("evidence: keys in the order of PyTorch, and damaged dumps") {
  const std::string sorted = R"({"comm_lib_version":"2.28.9","entries":[)" +
                             entry(1, "all_reduce", "scheduled", R"([[99999999999,99999999999],["x"]])") +
                             R"(],"pg_config":{},"version":"2.10"})";
  const Model model = model_of({{"nccl_trace_rank_x", sorted}});
  REQUIRE(model.flight_records.size() == 1);
  CHECK(model.flight_records[0].global_rank == -1);
  CHECK(model.flight_records[0].elements_in == -1);
  CHECK(model_of({{"a", dump(R"({"process_group":[0]},{"process_group":["0","d"],"collective_seq_id":-4},7,null)")}})
            .flight_records.empty());
  CHECK(model_of({{"a", dump(std::string(1000, '['))}}).flight_records.empty());
  check_same_report({{"rank3", sorted}});
}

namespace {

/// An entry of a process group whose name is its number.
std::string group_entry(int group, int sequence, const std::string& state) {
  const std::string name = std::to_string(group);
  return R"({"process_group":[")" + name + R"(","g)" + name + R"("],"collective_seq_id":)" + std::to_string(sequence) +
         R"(,"profiling_name":"nccl:all_reduce","input_sizes":[[8]],"output_sizes":[[8]],"state":")" + state + R"("})";
}

/// The dump of a rank: for each group of the list the number of its last collective, which is not complete if the
/// number is negative.
NamedText dump_of(int rank, const std::vector<int>& last) {
  std::string entries;
  for (std::size_t group = 0; group < last.size(); ++group)
    if (last[group] != 0)
      entries += (entries.empty() ? "" : ",") +
                 group_entry(static_cast<int>(group), std::abs(last[group]), last[group] < 0 ? "started" : "completed");
  return {"nccl_trace_rank_" + std::to_string(rank),
          R"({"version":"2.10","pg_config":{},"entries":[)" + entries + "]}"};
}

}  // namespace

TEST_CASE("evidence: a rank that is behind because it waits in another process group is not blamed") {
  // Rank 1 has not called number 5 of group 0: it waits in group 1 for rank 2, which waits nowhere.
  const std::vector<NamedText> chain{dump_of(0, {-5}), dump_of(1, {4, -9}), dump_of(2, {0, 8})};
  const auto found = findings_of(model_of(chain), "straggler");
  REQUIRE(found.size() == 1);
  CHECK(found[0].ranks == std::vector{2});
  CHECK(found[0].message.ends_with(". Process group 0 (g0) waits for ranks that wait here"));
  check_same_report(chain);

  // Rank 2, for which rank 1 waits in group 1, left no dump.
  CHECK(findings_of(model_of({chain[0], chain[1]}), "straggler").empty());

  // Rank 3 is behind in group 0, too, and waits nowhere: both groups are reported, and rank 1 is no suspect.
  std::vector<NamedText> two = chain;
  two.push_back(dump_of(3, {4}));
  two.push_back(dump_of(4, {-5}));
  const auto both = findings_of(model_of(two), "straggler");
  REQUIRE(both.size() == 2);
  CHECK(both[0].ranks == std::vector{1, 3});
  REQUIRE(both[0].suspects.size() == 1);
  CHECK(both[0].suspects[0].rank == 3);
  CHECK(both[0].message.ends_with(". Meanwhile rank 1 waits in process group 1 (g1)"));
  CHECK(both[1].ranks == std::vector{2});
}

TEST_CASE("evidence: a timeout in which a rank is behind that waits in another group is a symptom") {
  const auto times_out = [](int rank, int group, int sequence) {
    const std::string at = std::to_string(rank), name = std::to_string(group);
    return "[rank" + at + "]:[E813 12:25:30 ProcessGroupNCCL.cpp:632] [PG ID " + name + " PG GUID " + name + "(g" +
           name + ") Rank " + at +
           "] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=" + std::to_string(sequence) +
           ", OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600038 milliseconds before timing "
           "out.\n";
  };
  std::vector<NamedText> sources{{"a.log", times_out(0, 0, 5) + times_out(1, 1, 9)}};
  for (const NamedText& dump : {dump_of(0, {-5}), dump_of(1, {4, -9}), dump_of(2, {0, 8})}) sources.push_back(dump);
  const auto found = findings_of(model_of(sources), "watchdog-timeout");
  REQUIRE(found.size() == 2);
  REQUIRE(found[0].suspects.size() == 1);
  CHECK(found[0].suspects[0].rank == 2);
  CHECK(found[0].stage() == Stage::hang);
  CHECK(found[1].stage() == Stage::symptom);
  CHECK(found[1].message.ends_with("the others wait for it. Meanwhile rank 1 waits in process group GUID 1(g1)"));
  check_same_report(sources);
}

TEST_CASE("evidence: process groups that wait for each other are both reported") {
  // Rank 0 calls group 0 before group 1, rank 1 the other way round.
  const auto found = findings_of(model_of({dump_of(0, {-5, 8}), dump_of(1, {4, -9})}), "straggler");
  REQUIRE(found.size() == 2);
  CHECK(found[0].ranks == std::vector{1});
  CHECK(found[0].suspects.size() == 1);
  CHECK(
      found[0].message.ends_with(". Meanwhile rank 1 waits in process group 1 (g1): these groups wait for each other"));
  CHECK(found[1].ranks == std::vector{0});

  // A chain of groups ends at the one whose rank waits nowhere.
  const std::vector<NamedText> chain{dump_of(0, {-5}), dump_of(1, {4, -5}), dump_of(2, {0, 4, -5}),
                                     dump_of(3, {0, 0, 4})};
  const auto one = findings_of(model_of(chain), "straggler");
  REQUIRE(one.size() == 1);
  CHECK(one[0].ranks == std::vector{3});
  CHECK(one[0].message.ends_with(". Process groups 0 (g0) and 1 (g1) wait for ranks that wait here"));
}

namespace {

/// An entry of the pipeline group `pp`, whose operations are sends, receives and groups of them.
std::string transfer(const std::string& name, int number, const std::string& state, bool is_p2p = true) {
  return R"({"process_group":["pp",""],"collective_seq_id":0,"p2p_seq_id":)" + std::to_string(number) +
         R"(,"is_p2p":)" + (is_p2p ? "true" : "false") + R"(,"profiling_name":"nccl:)" + name + R"(","state":")" +
         state + R"("})";
}

/// The dump of a rank in a job of eight ranks, of which 4 to 7 are the group `pp`: the number of its last collective of
/// all ranks, as in dump_of(), and entries of `pp`.
NamedText pipeline_dump(int rank, int last, const std::vector<std::string>& transfers) {
  std::string entries = group_entry(0, std::abs(last), last < 0 ? "started" : "completed");
  for (const std::string& one : transfers) entries += ",\n" + one;
  return {
      "nccl_trace_rank_" + std::to_string(rank),
      R"({"version":"2.10","pg_config":{"0":{"desc":"g0","ranks":"[0,1,2,3,4,5,6,7]"},"pp":{"desc":"","ranks":"[4,5,6,7]"}},)"
      R"("entries":[)" +
          entries + "]}"};
}

std::vector<int> suspects_in(const Finding& finding) {
  std::vector<int> ranks;
  for (const Suspect& one : finding.suspects) ranks.push_back(one.rank);
  return ranks;
}

/// The only finding on stragglers among the dumps, which begin with two ranks that wait in number 5.
Finding stalled_by(std::vector<NamedText> dumps) {
  dumps.insert(dumps.begin(), {pipeline_dump(0, -5, {}), pipeline_dump(1, -5, {}), pipeline_dump(2, -5, {})});
  const auto found = findings_of(model_of(dumps), "straggler");
  REQUIRE(found.size() == 1);
  check_same_report(dumps);
  return found.front();
}

}  // namespace

TEST_CASE("evidence: a rank that waits in a send or receive is not blamed for a collective") {
  const NamedText receives = pipeline_dump(5, 4, {transfer("recv 1<-2", 8, "started")});
  const NamedText stopped = pipeline_dump(7, 4, {transfer("send 3->2", 7, "completed")});
  const Finding chain = stalled_by({receives, pipeline_dump(6, 4, {transfer("recv 2<-3", 8, "scheduled")}), stopped});
  CHECK(suspects_in(chain) == std::vector{7});
  CHECK(chain.message ==
        "By the flight recorder ranks 5-7 have not called ALLREDUCE number 5 of process group 0 (g0), which ranks 0-2 "
        "have called and not completed (dumps of 6 of 8 ranks show it). If the job hung, they wait there. Meanwhile "
        "rank 5 waits in a receive from rank 6 and rank 6 waits in a receive from rank 7. Such waits lead to rank 7, "
        "whose dump shows nothing to wait for");

  // The chain ends at a rank that has called the collective, one without a dump, two that wait for each other, one
  // whose number in the job is not known: nobody is blamed.
  const NamedText called = pipeline_dump(6, -5, {}),
                  waits_back = pipeline_dump(6, 4, {transfer("recv 2<-1", 8, "started")});
  const NamedText unnamed = pipeline_dump(5, 4, {transfer("recv 1<-9", 8, "started")});
  const std::vector<std::vector<NamedText>> unknown{{receives, called}, {receives}, {receives, waits_back}, {unnamed}};
  for (const std::vector<NamedText>& dumps : unknown) {
    const Finding finding = stalled_by(dumps);
    CHECK(finding.suspects.empty());
    CHECK(finding.ranks.empty());
  }
  CHECK(stalled_by({receives})
            .message.ends_with(
                ". Meanwhile rank 5 waits in a receive from rank 6 (the dumps hold no operation of rank 6)"));
  CHECK(stalled_by({unnamed}).message.ends_with("in an operation of which its dump does not name the other ranks"));
  // Rank 6 has a collective open in a group of which no other rank left a dump, so that the reason may be there.
  const NamedText open = pipeline_dump(6, 4, {group_entry(7, 3, "started")});
  CHECK(
      findings_of(model_of({pipeline_dump(0, -5, {}), pipeline_dump(1, -5, {}), receives, open}), "straggler").empty());
}

TEST_CASE("evidence: a group of sends and receives has the state of the entry behind it") {
  const auto rank_5 = [](const std::vector<std::string>& transfers) { return pipeline_dump(5, 4, transfers); };
  const std::string receive = transfer("recv 1<-2", 8, "scheduled"), send = transfer("send 1->0", 8, "scheduled");
  const Model model = model_of({rank_5({receive, send, transfer("coalesced", 8, "started", false)})});
  REQUIRE(model.flight_records.size() == 2);
  CHECK(model.flight_records[1].receives == std::vector{6});
  CHECK(model.flight_records[1].sends == std::vector{4});
  CHECK(model.flight_records[1].transfers == 8);
  CHECK(model.flight_records[1].enqueued == -1);

  const NamedText stopped = rank_5({receive, send, transfer("coalesced", 8, "completed", false)});
  CHECK(suspects_in(stalled_by({stopped})) == std::vector{5});
  // A single operation and a batch of the same ranks have streams of their own, so that a later one proves nothing.
  const NamedText open = rank_5({receive, transfer("recv 1<-2", 9, "completed")});
  CHECK(suspects_in(stalled_by({open})).empty());
  // A batch of which the dump no longer holds the operations.
  CHECK(suspects_in(stalled_by({rank_5({transfer("coalesced", 8, "started")})})).empty());
  // A group of collectives has a number of its own. An entry that comes first is not known to be either, but an open
  // one holds its rank.
  const std::string collectives = transfer("coalesced", 8, "started", false);
  const std::string behind_it = std::string(collectives).replace(collectives.find("_id\":0"), 6, "_id\":1");
  CHECK(model_of({rank_5({transfer("recv 1<-2", 8, "completed"), behind_it})}).flight_records[1].sequence == 1);
  CHECK(suspects_in(stalled_by({rank_5({collectives})})).empty());
  CHECK(model_of({rank_5({transfer("coalesced", 8, "completed", false)})}).flight_records.size() == 1);
}

TEST_CASE("evidence: dumps with collectives that PyTorch gives no state of their own") {
  const auto last = [](const std::string& state) {
    return dump(entry(411, "all_reduce", "scheduled", "[[8]]") + "," + entry(411, "all_reduce", "scheduled", "[[9]]") +
                "," + entry(411, "coalesced", state, "[]"));
  };
  CHECK(model_of({{"trace_rank_4", last("completed")}}).flight_records[0].completed == 411);
  CHECK(model_of({{"trace_rank_4", last("started")}}).flight_records[0].sequence == 411);
}

TEST_CASE("evidence: a watchdog that timed out on a receive blames no rank for a lower number of collectives") {
  const std::string log =
      "[rank5]:[E131 10:10:30 ProcessGroupNCCL.cpp:632] [PG ID 1 PG GUID pp() Rank 1] Watchdog caught collective "
      "operation timeout: WorkNCCL(SeqNum=8, OpType=RECV, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600062 "
      "milliseconds before timing out.\n";
  const std::vector<NamedText> sources{{"log", log},
                                       pipeline_dump(5, 4, {transfer("recv 1<-2", 8, "started")}),
                                       pipeline_dump(6, 4, {transfer("send 2->1", 7, "completed")})};
  for (const char* const operation : {"RECV", "COALESCED"}) {
    std::vector<NamedText> named = sources;
    named[0].text.replace(log.find("RECV"), 4, operation);
    const auto found = findings_of(model_of(named), "watchdog-timeout");
    REQUIRE(found.size() == 1);
    CHECK(suspects_in(found[0]) == std::vector{6});
    CHECK(
        found[0].message.ends_with(". By the flight recorder rank 5 waits in a receive from rank 6. Such waits lead to "
                                   "rank 6, whose dump shows nothing to wait for"));
    check_same_report(named);
  }
}

TEST_CASE("evidence: process groups of one name and other ranks are not compared") {
  const auto of_group = [](int rank, const std::string& members, int sequence, const std::string& operation) {
    return NamedText{"nccl_trace_rank_" + std::to_string(rank),
                     R"({"version":"2.10","pg_config":{"0":{"name":"0","desc":"default_pg","ranks":")" + members +
                         R"("}},"entries":[)" + entry(sequence, operation, "started", "[[8]]") + "]}"};
  };
  const std::vector<NamedText> apart{of_group(0, "[0,1]", 90, "all_reduce"), of_group(1, "[0,1]", 90, "all_reduce"),
                                     of_group(2, "[2,3]", 90, "broadcast"), of_group(3, "[2,3]", 91, "broadcast")};
  const auto found = analyze(model_of(apart)).findings;
  CHECK(found.empty());
  check_same_report(apart);
  CHECK(
      describe_recordings(model_of({apart[0], apart[1], apart[2]})) ==
      std::vector<std::string>{"flight recorder, process group 0 (default_pg) of ranks 0-1: 2 ranks, collectives up to "
                               "90 enqueued, none completed by all",
                               "flight recorder, process group 0 (default_pg) of ranks 2-3: dumps of 1 of 2 ranks show "
                               "it, collectives up to 90 enqueued, none completed by all whose dumps show it"});
  // Lists that are too long are told apart, too.
  std::string odd = "[1", even = "[0";
  for (int rank = 2; rank < 6000; rank += 2) {
    even += "," + std::to_string(rank);
    odd += "," + std::to_string(rank + 1);
  }
  CHECK(analyze(model_of({of_group(0, even + "]", 90, "all_reduce"), of_group(1, odd + "]", 90, "broadcast")}))
            .findings.empty());
}

TEST_CASE("evidence: a watchdog's timeout belongs to the group of one name that has its rank") {
  const auto times_out = [](int rank, int sequence) {
    const std::string at = std::to_string(rank);
    return "[rank" + at + "]:[E813 12:25:30 ProcessGroupNCCL.cpp:632] [PG ID 0 PG GUID 0(default_pg) Rank " + at +
           "] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=" + std::to_string(sequence) +
           ", OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600038 milliseconds before timing "
           "out.\n";
  };
  const auto dump_in = [](int rank, const std::string& members, int sequence, const std::string& state) {
    return NamedText{"nccl_trace_rank_" + std::to_string(rank),
                     R"({"version":"2.10","pg_config":{"0":{"name":"0","desc":"default_pg","ranks":")" + members +
                         R"("}},"entries":[)" + entry(sequence, "all_reduce", state, "[[8]]") + "]}"};
  };
  const std::vector<NamedText> sources{{"a.log", times_out(0, 90) + times_out(2, 40)},
                                       dump_in(0, "[0,1]", 90, "started"),
                                       dump_in(1, "[0,1]", 89, "completed"),
                                       dump_in(2, "[2,3]", 40, "started"),
                                       dump_in(3, "[2,3]", 40, "started")};
  const auto found = findings_of(model_of(sources), "watchdog-timeout");
  REQUIRE(found.size() == 2);
  CHECK(suspects_in(found[0]) == std::vector{1});
  CHECK(found[0].message.find("process group GUID 0(default_pg) of ranks 0-1") != std::string::npos);
  CHECK(found[1].message.find("on ranks 2-3") != std::string::npos);
  check_same_report(sources);
}

}  // namespace nccl_analyze::evidence
