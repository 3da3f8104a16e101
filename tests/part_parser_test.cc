// Parts parsed out of turn give what one parser gives.

#include "nccl_analyze/part_parser.h"

#include <filesystem>
#include <sstream>
#include <string>

#include "catch.h"
#include "in_parts.h"
#include "nccl_analyze/export.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

void tell(std::ostream& out, const Record& record) {
  write_event(out, record);
  out << record.text << static_cast<int>(record.damage) << '\n';
}

std::string in_turn(const std::string& log, ParseStats& stats) {
  std::ostringstream out;
  Parser parser{SourceId{0}, [&](const Record& record) { tell(out, record); }};
  parser.feed(log);
  parser.finish();
  stats = parser.stats();
  return out.str();
}

/// Reads the log in parts of several sizes; returns which share of them was right.
double compare_parts(const std::string& log) {
  ParseStats stats;
  const std::string expected = in_turn(log, stats);
  std::size_t parts = 0, passed = 0;
  for (const std::size_t size : {1U, 200U, 3000U, 40000U}) {
    for (const std::size_t lag : {0U, 1U, 5U}) {
      std::ostringstream out;
      const ReadInParts read = read_in_parts(log, size, lag, [&](const Record& record) { tell(out, record); });
      INFO("parts of " << size << ", knowledge " << lag << " parts old");
      check_same(out.str(), expected);
      CHECK(read.stats == stats);
      parts += read.parts;
      passed += read.passed;
    }
  }
  return parts == 0 ? 1 : static_cast<double>(passed) / static_cast<double>(parts);
}

}  // namespace

TEST_CASE("parts of every log, parsed out of turn, give the records of the whole") {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(NCCL_ANALYZE_TESTDATA)) {
    if (entry.path().extension() != ".log") continue;
    INFO(entry.path());
    compare_parts(read_file(entry.path()));
  }
}

TEST_CASE("parts of a long log are right nearly always") {
  std::string log;
  for (int line = 0; line < 5000; ++line)
    log += "node-" + std::to_string(line % 7) + ":129:1137 [1] NCCL INFO Channel 0" + std::to_string(line % 9) +
           "/0 : 0[0] -> 1[1] via P2P/CUMEM\nstep " + std::to_string(line) + '\n';
  CHECK(compare_parts(log) > 0.97);
}

TEST_CASE("a part in which somebody new speaks is right if the lines before it tell nothing else of them") {
  std::size_t records = 0;
  Parser parser{SourceId{0}, [&](const Record&) { ++records; }};
  PartParser out_of_turn{SourceId{0}, [](const Record&) {}, 1};
  const std::string known = "a:1:2 [0] NCCL INFO Using network IB\n",
                    fresh = "trainer-b:3:4 [0] NCCL INFO Using network IB\n";
  for (int i = 0; i < 4; ++i) parser.feed(known);
  const auto knowledge = parser.knowledge();
  REQUIRE(knowledge != nullptr);
  const auto part = out_of_turn.parse(fresh + known + fresh, knowledge);
  REQUIRE(part);
  CHECK(part->speakers.size() == 2);
  CHECK(parser.pass(*part));
  CHECK(parser.stats().nccl_lines == 7);
  // it has not learned what the next part may not know
  const auto next = out_of_turn.parse(fresh + fresh + fresh, knowledge);
  REQUIRE(next);
  CHECK(next->speakers.size() == 3);
  CHECK(parser.pass(*next));
  CHECK(records == 4);

  // what a torn host means depends on who spoke between
  const auto torn = out_of_turn.parse(fresh + "er-b:3:4 [0] NCCL INFO Using network IB\n", knowledge);
  REQUIRE(torn);
  CHECK(torn->speakers.back().meant == "er-b");
  CHECK_FALSE(parser.pass(*torn));
  const std::size_t before = records;
  std::string host;
  Parser whole{SourceId{0}, [&](const Record& record) { host = record.origin.host; }};
  for (int i = 0; i < 4; ++i) whole.feed(known);
  for (int i = 0; i < 5; ++i) whole.feed(fresh);
  whole.feed("er-b:3:4 [0] NCCL INFO Using network IB\n");
  CHECK(host == "trainer-b");
  CHECK(records == before);
}

TEST_CASE("a part that is refused leaves nothing behind") {
  std::string hosts;
  Parser parser{SourceId{0}, [&](const Record& record) { hosts += std::string(record.origin.host) + ' '; }};
  PartParser out_of_turn{SourceId{0}, [](const Record&) {}, 1};
  const std::string known = "trainer-b:3:4 [0] NCCL INFO Using network IB\n";
  parser.feed("log\n");
  const auto knowledge = parser.knowledge();
  REQUIRE(knowledge != nullptr);
  // four lines of a host make it credible: were those of the refused part kept, one more would be enough
  const auto part = out_of_turn.parse(
      "x:5:6 [0] NCCL INFO Using network IB\nx:5:6 [0] NCCL INFO Using network IB\n"
      "x:5:6 [0] NCCL INFO Using network IB\ner-b:3:4 [0] NCCL INFO Using network IB\n",
      knowledge);
  REQUIRE(part);
  for (int i = 0; i < 4; ++i) parser.feed(known);
  CHECK_FALSE(parser.pass(*part));
  parser.feed("x:5:6 [0] NCCL INFO Using network IB\nx-x:5:6 [0] NCCL INFO Using network IB\n");
  CHECK(hosts == "trainer-b trainer-b trainer-b trainer-b x x-x ");
}

TEST_CASE("no part begins inside a line, in UTF-16 or while a record waits") {
  Parser parser{SourceId{0}, [](const Record&) {}};
  CHECK(parser.knowledge() == nullptr);
  parser.feed("a:1:2 [0] NCCL INFO Using network IB\n");
  CHECK(parser.knowledge() != nullptr);
  parser.feed("a:1:2 [0] NCCL INFO Using");
  CHECK(parser.knowledge() == nullptr);
  Parser wide{SourceId{0}, [](const Record&) {}};
  wide.feed(
      std::string_view("\xff\xfe"
                       "a\0\n\0",
                       6));
  CHECK(wide.knowledge() == nullptr);
}

}  // namespace nccl_analyze
