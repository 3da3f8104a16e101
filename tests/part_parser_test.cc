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

TEST_CASE("a part in which somebody new speaks is read in turn") {
  std::size_t records = 0;
  Parser parser{SourceId{0}, [&](const Record&) { ++records; }};
  PartParser out_of_turn{SourceId{0}, [](const Record&) {}, 1};
  for (int i = 0; i < 4; ++i) parser.feed("a:1:2 [0] NCCL INFO Using network IB\n");
  const auto knowledge = parser.knowledge();
  REQUIRE(knowledge != nullptr);
  CHECK_FALSE(out_of_turn.parse("b:1:2 [0] NCCL INFO Using network IB\n", knowledge));
  // it has not learned from what was void
  CHECK_FALSE(out_of_turn.parse("b:1:2 [0] NCCL INFO Using network IB\n", knowledge));
  const auto part = out_of_turn.parse("a:1:2 [0] NCCL INFO Using network IB\nstep 1\n", knowledge);
  REQUIRE(part);
  CHECK(parser.pass(*part));
  CHECK(parser.stats().lines == 6);
  CHECK(parser.stats().nccl_lines == 5);
  CHECK(records == 4);
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
