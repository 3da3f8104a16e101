// Tests that no number in a log overflows an integer, which the sanitizers would report.

#include <array>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "catch.h"
#include "messages/matcher.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "row_example.h"

namespace nccl_analyze {
namespace {

constexpr std::array<std::string_view, 6> extremes{"0",          "2147483647",          "-2147483648",
                                                   "4294967295", "9223372036854775807", "-9223372036854775808"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns copies of the line, one for each pair of a number in the line and an extreme that replaces the number.
std::string variants_of(const std::string& line) {
  std::string all;
  for (std::size_t begin = 0; begin < line.size();) {
    std::size_t end = begin;
    while (end < line.size() && is_digit(line[end])) ++end;
    if (end > begin)
      for (const std::string_view extreme : extremes)
        all.append(line, 0, begin).append(extreme).append(line, end).append("\n");
    begin = end + 1;
  }
  return all;
}

std::string report_on(const std::string& log) {
  ModelBuilder builder;
  Summary summary;
  Parser parser(SourceId{0}, [&](const Record& record) {
    builder.add(record);
    summary.add(record);
  });
  parser.feed(log);
  parser.finish();
  builder.add_source(SourceId{0}, "log", parser.stats());
  summary.add_source(SourceId{0}, "log", parser.stats());
  const Model model = std::move(builder).build();
  const Report report = analyze(model);
  std::ostringstream out;
  write_json(out, model, report);
  write_text(out, model, report);
  write_dot(out, model, report);
  write_summary(out, summary);
  return out.str();
}

}  // namespace

TEST_CASE("extremes: no number of any message overflows", "[slow]") {
  for (const Family& family : all_families()) {
    for (const Row& row : family.rows) {
      for (const std::string& example : examples_of(row)) {
        INFO(example);
        CHECK(!report_on(variants_of("w-0:12:34 [5] NCCL INFO " + example)).empty());
      }
    }
  }
}

TEST_CASE("extremes: no number of a version line overflows") {
  CHECK(!report_on(variants_of("NCCL version 2.27.3+cuda12.9\nw:1:1 [0] NCCL INFO Using network IB")).empty());
}

}  // namespace nccl_analyze
