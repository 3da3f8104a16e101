// Tests that generated pages and tables are up to date. With `NCCL_ANALYZE_ACCEPT=1`, writes them instead.

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "messages/page.h"
#include "nccl_analyze/report.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

std::string written(void (*write)(std::ostream&)) {
  std::ostringstream out;
  write(out);
  return out.str();
}

/// Returns the text with the lines between two marker lines replaced.
std::string replace_between(const std::string& text, std::string_view begin, std::string_view end,
                            const std::string& middle) {
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  return text.substr(0, from + begin.size()) + "\n" + middle + text.substr(to);
}

/// Returns the paths of files and folders in this repository that a page names. A path with a placeholder is shortened
/// to the folder before the placeholder: `lib/rules/<family>/nca<id>_<name>.cc` to `lib/rules`.
std::vector<std::string> named_paths(std::string_view page) {
  constexpr std::string_view path_bytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  std::vector<std::string> paths;
  for (const std::string_view folder : {".ci/", "cli/", "examples/", "include/", "lib/", "testdata/", "tests/"}) {
    for (std::size_t at = page.find(folder); at != std::string_view::npos; at = page.find(folder, at + 1)) {
      if (at > 0 && path_bytes.find(page[at - 1]) != std::string_view::npos) continue;
      const std::size_t end = std::min(page.find_first_not_of(path_bytes, at), page.size());
      std::string_view path = page.substr(at, end - at);
      const auto next = static_cast<unsigned char>(end < page.size() ? page[end] : ' ');
      const bool placeholder = next == '<' || next == '*' || next >= 0x80;  // A byte from 0x80 is part of `…`.
      if (placeholder) path = path.substr(0, path.rfind('/'));
      if (path.ends_with('.')) path.remove_suffix(1);
      paths.emplace_back(path);
    }
  }
  return paths;
}

}  // namespace

TEST_CASE("docs: the files that pages name are there") {
  for (const char* const page : {"README.md", "CONTRIBUTING.md", "tests/benchmark/README.md"}) {
    const std::vector<std::string> paths = named_paths(read_file(source_folder() / page));
    CHECK(!paths.empty());
    for (const std::string& path : paths) {
      INFO(page << " names " << path);
      CHECK(std::filesystem::exists(source_folder() / path));
    }
  }
}

TEST_CASE("docs: the page of rules", "[docs]") {
  check_file(source_folder() / "lib/rules/README.md", written(write_rules_markdown));
}

TEST_CASE("docs: the run in the README", "[docs]") {
  constexpr int shown_lines = 29;
  std::istringstream report(read_file(std::filesystem::path(NCCL_ANALYZE_TESTDATA) / "jobs/efa-fallback/expected.txt"));
  std::string block =
      "\n```\n$ cd testdata/jobs/efa-fallback && nccl-analyze input.log | head -" + std::to_string(shown_lines) + "\n";
  std::string line;
  for (int i = 0; i < shown_lines && std::getline(report, line); ++i) block += line + "\n";
  const auto readme = source_folder() / "README.md";
  check_file(readme, replace_between(read_file(readme), "<!-- output -->", "<!-- /output -->", block + "```\n\n"));
}

TEST_CASE("docs: the page of messages", "[docs]") {
  check_file(source_folder() / "lib/messages/README.md", written(write_messages_markdown));
}

TEST_CASE("docs: the table of rules in the README", "[docs]") {
  const auto readme = source_folder() / "README.md";
  check_file(readme,
             replace_between(read_file(readme), "<!-- rules -->", "<!-- /rules -->", written(write_rules_by_family)));
}

}  // namespace nccl_analyze
