// Generated text is fresh: pages and tables equal what the code says. `NCCL_ANALYZE_ACCEPT=1` writes them again.

#include <filesystem>
#include <sstream>
#include <string>

#include "catch.h"
#include "messages/page.h"
#include "nccl_analyze/export.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

const std::filesystem::path root = NCCL_ANALYZE_SOURCE_DIR;

std::string written(void (*write)(std::ostream&)) {
  std::ostringstream out;
  write(out);
  return out.str();
}

/// The text with what stands between the two marker lines replaced.
std::string replace_between(const std::string& text, std::string_view begin, std::string_view end,
                            const std::string& middle) {
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  return text.substr(0, from + begin.size()) + "\n" + middle + text.substr(to);
}

}  // namespace

TEST_CASE("docs: the page of rules", "[docs]") {
  check_file(root / "lib/rules/README.md", written(write_rules_markdown));
}

TEST_CASE("docs: the run in the README", "[docs]") {
  constexpr int shown_lines = 29;
  std::istringstream report(read_file(std::filesystem::path(NCCL_ANALYZE_TESTDATA) / "jobs/efa-fallback/expected.txt"));
  std::string block =
      "\n```\n$ cd testdata/jobs/efa-fallback && nccl-analyze input.log | head -" + std::to_string(shown_lines) + "\n";
  std::string line;
  for (int i = 0; i < shown_lines && std::getline(report, line); ++i) block += line + "\n";
  const auto readme = root / "README.md";
  check_file(readme, replace_between(read_file(readme), "<!-- output -->", "<!-- /output -->", block + "```\n\n"));
}

TEST_CASE("docs: the page of messages", "[docs]") {
  check_file(root / "lib/messages/README.md", written(write_messages_markdown));
}

TEST_CASE("docs: the table of rules in the README", "[docs]") {
  const auto readme = root / "README.md";
  check_file(readme,
             replace_between(read_file(readme), "<!-- rules -->", "<!-- /rules -->", written(write_rules_by_family)));
}

}  // namespace nccl_analyze
