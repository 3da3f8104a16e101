// Tests the collectives that ranks call, from lines of `NCCL_DEBUG_SUBSYS=COLL`.

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze {
namespace {

void read(const std::string& log, SourceId source, ModelBuilder& builder) {
  Parser parser(source, [&](const Record& record) { builder.add(record); });
  parser.feed(log);
  parser.finish();
  builder.add_source(source, "log" + std::to_string(static_cast<std::uint32_t>(source)), parser.stats());
}

Model model_of(const std::vector<std::string>& logs) {
  ModelBuilder builder;
  std::uint32_t source = 0;
  for (const std::string& log : logs) read(log, SourceId{source++}, builder);
  return std::move(builder).build();
}

std::string line(int rank, const std::string& message) {
  return "h:" + std::to_string(rank + 1) + ":" + std::to_string(rank + 1) + " [0] NCCL INFO " + message + "\n";
}

std::string comm_of(int rank) { return "0xa" + std::to_string(rank); }

std::string turn(int rank, const std::string& words) {
  return line(rank, "ncclCommInitRankConfig comm " + comm_of(rank) + " rank " + std::to_string(rank) +
                        " nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x7 - Init " + words);
}

std::string init(int rank) { return turn(rank, "START") + turn(rank, "COMPLETE"); }

std::string call(int rank, std::uint64_t op_count, int count, const std::string& operation = "AllReduce") {
  std::ostringstream out;
  out << operation << ": opCount " << std::hex << op_count << std::dec << " sendbuff 0x1 recvbuff 0x2 count " << count
      << " datatype 7 op 0 root 0 comm " << comm_of(rank) << " [nranks=2] stream 0x3";
  return line(rank, out.str());
}

std::string calls(int rank, int first, int end) {
  std::string log;
  for (int i = first; i < end; ++i) log += call(rank, static_cast<std::uint64_t>(i), i + 1);
  return log;
}

const Calls& calls_of(const Model& model, int rank) {
  REQUIRE(!model.communicators.empty());
  const auto& ranks = model.communicators[0].ranks;
  REQUIRE(ranks.size() > static_cast<std::size_t>(rank));
  REQUIRE(ranks[static_cast<std::size_t>(rank)].calls);
  return *ranks[static_cast<std::size_t>(rank)].calls;
}

std::string json_of(const Model& model) {
  std::ostringstream out;
  write_json(out, model, analyze(model));
  return out.str();
}

bool finds(const Model& model, std::string_view rule) {
  const Report report = analyze(model);
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const Finding& finding) { return finding.rule->name == rule; });
}

}  // namespace

TEST_CASE("calls: the last 32 are kept, numbered from the first") {
  static_assert(sizeof(CollectiveCall) <= 32);
  const Model model =
      model_of({init(0) + calls(0, 0, 100) + call(0, 99, 5, "Send") + call(0, 99, 0) + call(0, 99, 1, "PutSignal")});
  const Calls& calls = calls_of(model, 0);
  CHECK(calls.total == 100);
  CHECK(calls.from_start);
  CHECK(calls.last.operation == Operation::all_reduce);
  CHECK(calls.last.count == 0);
  REQUIRE(calls.find(99) != nullptr);
  CHECK(calls.find(99)->count == 100);
  REQUIRE(calls.find(68) != nullptr);
  CHECK(calls.find(68)->op_count == 68);
  CHECK(calls.find(67) == nullptr);
  CHECK(calls.find(100) == nullptr);
}

TEST_CASE("calls: a pointer that is used again is another communicator's") {
  const std::string end = line(0, "comm 0xa0 rank 0 nranks 2 cudaDev 0 busId 1000 - Destroy COMPLETE");
  CHECK(calls_of(model_of({init(0) + calls(0, 0, 9) + init(0) + calls(0, 0, 3)}), 0).total == 3);
  const Model model = model_of({init(0) + calls(0, 0, 9) + end + calls(0, 9, 12)});
  CHECK(calls_of(model, 0).total == 9);
}

TEST_CASE("calls: where a part of the log may be missing, nobody is accused") {
  const std::string zero = init(0) + calls(0, 0, 8);
  const std::string other = call(1, 4, 77);
  CHECK(finds(model_of({zero, init(1) + calls(1, 0, 4) + other}), "collective-mismatch"));
  SECTION("the log begins in the middle") {
    CHECK(!finds(model_of({zero, calls(1, 0, 4) + other}), "collective-mismatch"));
  }
  SECTION("two files hold one process") {
    CHECK(!finds(model_of({zero, init(1) + calls(1, 0, 3), call(1, 3, 4) + other}), "collective-mismatch"));
    CHECK(!finds(model_of({zero, calls(1, 0, 1), init(1) + calls(1, 1, 3) + other}), "collective-mismatch"));
  }
  SECTION("a line was cut") {
    CHECK(
        !finds(model_of({zero, init(1) + calls(1, 0, 3) + "h:2:2 [0] NCCL INFO AllReduce: opCount 3 sendb\n" + other}),
               "collective-mismatch"));
  }
}

TEST_CASE("calls: the report of parts is that of the whole") {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    const std::string glued = "lost in print " + call(1, 7, 7);  // A record after other words, as in torn output.
    std::vector<std::string> lines = {init(0), init(1)};
    const auto steps = static_cast<int>(random() % 400);
    for (int i = 0; i < steps; ++i) {
      const int rank = static_cast<int>(random() % 2);
      switch (random() % 40) {
        case 0:
          lines.push_back(call(rank, 1, 8, "Recv"));
          break;
        case 1:
          lines.push_back(call(rank, 1, 0));
          break;
        case 2:
          lines.push_back(call(rank, 1, 3, "WaitSignal"));
          break;
        case 3:
          lines.push_back(glued);
          break;
        case 4:
          lines.push_back(random() % 8 == 0 ? init(rank) : calls(rank, 0, 40));
          break;
        default:
          lines.push_back(call(rank, static_cast<std::uint64_t>(i), i % 5));
          break;
      }
    }
    std::string log;
    for (const std::string& one : lines) log += one;
    const auto all = static_cast<std::uint64_t>(std::count(log.begin(), log.end(), '\n'));
    const std::uint64_t cut = 1 + random() % (all - 1);
    ModelBuilder whole;
    Summary head, tail;
    Parser parser(SourceId{0}, [&](const Record& record) {
      whole.add(record);
      (record.at.line <= cut ? head : tail).add(record);
    });
    parser.feed(log);
    parser.finish();
    ParseStats stats = parser.stats();
    whole.add_source(SourceId{0}, "log", stats);
    stats.lines = cut;
    head.add_source(SourceId{0}, "log", stats);
    ParseStats rest;
    rest.lines = all - cut;
    tail.add_source(SourceId{0}, "log", rest, cut);
    tail.merge(std::move(head));
    std::ostringstream written;
    write_summary(written, tail);
    Summary again;
    SummaryReader reader(again);
    CHECK(reader.feed(written.str()));
    CHECK(reader.finish() == "");
    ModelBuilder merged;
    again.replay(merged);
    INFO("round " << round << ", cut at " << cut << " of " << all);
    CHECK(json_of(std::move(merged).build()) == json_of(std::move(whole).build()));
  }
}

TEST_CASE("calls: the last call of each process is quoted") {
  const std::string log = init(0) + init(1) + calls(0, 0, 40) + calls(1, 0, 39);
  const Model model = model_of({log});
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(log, '\n'));
  CHECK(model.quote({SourceId{0}, lines}).starts_with("h:2:2 [0] NCCL INFO AllReduce: opCount "));
  CHECK(model.quote({SourceId{0}, lines - 39}).starts_with("h:1:1 [0] NCCL INFO AllReduce: opCount "));
  CHECK(model.quote({SourceId{0}, lines - 1}).empty());
}

}  // namespace nccl_analyze
