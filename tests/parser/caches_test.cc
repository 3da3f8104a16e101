// Tests that the caches of prefixes and messages change nothing but speed.

#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/report.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

/// Returns all members of a record as text, except the number of its sender.
std::string text_of(const Record& record) {
  std::ostringstream out;
  write_event(out, record);
  const Origin& from = record.origin;
  for (const std::string_view part : {record.text, record.completed, from.timestamp, from.location, from.decoration,
                                      from.pod, from.container, from.time})
    out << '|' << part;
  out << '|' << static_cast<int>(record.damage) << '|' << static_cast<int>(record.level);
  return out.str();
}

std::vector<std::string> records_of(std::string_view log, bool caches) {
  std::vector<std::string> records;
  Parser parser(SourceId{0}, [&](const Record& record) { records.push_back(text_of(record)); }, {.caches = caches});
  parser.feed(log);
  parser.finish();
  return records;
}

void check(const std::string& log) {
  const std::vector<std::string> with = records_of(log, true), without = records_of(log, false);
  REQUIRE(with.size() == without.size());
  for (std::size_t i = 0; i < with.size(); ++i) {
    if (with[i] == without[i]) continue;
    FAIL_CHECK(with[i] << "\n" << without[i]);
  }
}

/// Breaks each line at a column, as a terminal does.
std::string wrapped(std::string_view log) {
  constexpr std::size_t width = 100;
  std::string out;
  std::size_t column = 0;
  for (const char c : log) {
    if (c != '\n' && column == width) out.push_back('\n');
    column = c == '\n' ? 0 : column == width ? 1 : column + 1;
    out.push_back(c);
  }
  return out;
}

/// Removes every fifth newline.
std::string glued(std::string_view log) {
  std::string out;
  int lines = 0;
  for (const char c : log)
    if (c != '\n' || ++lines % 5 != 0) out.push_back(c);
  return out;
}

}  // namespace

TEST_CASE("caches: every log gives the same records without them, damaged or not") {
  std::size_t logs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(NCCL_ANALYZE_TESTDATA)) {
    if (entry.path().extension() != ".log") continue;
    INFO(entry.path());
    ++logs;
    const std::string log = read_file(entry.path());
    check(log);
    check(wrapped(log));
    check(glued(log));
  }
  CHECK(logs > 100);
}

}  // namespace nccl_analyze
