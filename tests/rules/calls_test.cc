// Calls that ranks print (COLL), and the time stamps before their lines.

#include <algorithm>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "model/timestamp.h"
#include "nccl_analyze/nccl_analyze.h"

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

TEST_CASE("calls: the last ones are kept with their numbers") {
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
    const std::string glued = "lost in print " + call(1, 7, 7);  // a record behind other words, as torn output has them
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

TEST_CASE("stamps: what collectors print is read") {
  using builder::read_timestamp;
  constexpr std::int64_t second = 1'000'000;
  CHECK(read_timestamp("1970-01-01T00:00:00Z").microseconds == 0);
  CHECK(read_timestamp("2026-03-01T12:34:56.789123456Z").microseconds == 1772368496 * second + 789123);
  CHECK(read_timestamp("2024-02-29 23:59:59,5+01:00").microseconds == 1709251199 * second + 500000);
  CHECK(read_timestamp("2000-12-31T00:00:00").dated);
  CHECK(read_timestamp("2000-12-31T00:00:00").microseconds == 978220800 * second);
  CHECK(read_timestamp("12:34:56.7").microseconds == 45296 * second + 700000);
  CHECK(!read_timestamp("12:34:56").dated);
  for (const char* const bad : {"", "12:34", "24:00:00", "12:60:00", "2026-13-01T00:00:00", "2026-01-32 00:00:00",
                                "2026-01-01", "x2:00:00", "0026-01-01 00:00:00", "12-34-56", "2026-01-01T", "-1:00:00"})
    CHECK(read_timestamp(bad).microseconds == -1);
}

TEST_CASE("stamps: only times of one clock, in their order, have something between them") {
  const auto between = [](const char* from, const char* to) {
    return builder::seconds_between(builder::read_timestamp(from), builder::read_timestamp(to));
  };
  CHECK(between("12:00:00", "12:01:00.25") == 60.25);
  CHECK(between("23:59:30", "00:00:30") == 60);  // the next day
  CHECK(between("12:00:00", "11:00:00") == -1);
  CHECK(between("2026-01-01 12:00:00", "2026-01-01 11:00:00") == -1);
  CHECK(between("2026-01-31 23:59:59", "2026-02-01 00:00:01") == 2);
  CHECK(between("2026-01-01 12:00:00", "12:00:01") == -1);
  CHECK(between("2026-01-01 12:00:00", "2026-01-02 12:00:00") == -1);
}

}  // namespace nccl_analyze
