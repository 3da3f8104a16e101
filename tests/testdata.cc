// Finds cases and compares files, for the golden tests and the docs tests.

#include "testdata.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "catch.h"

namespace nccl_analyze {

namespace fs = std::filesystem;

namespace {

std::vector<Case> find_cases(const std::string& kind) {
  const fs::path root = NCCL_ANALYZE_TESTDATA;
  std::set<fs::path> logs;
  if (fs::exists(root / kind))
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / kind))
      if (entry.path().extension() == ".log") logs.insert(entry.path());
  std::vector<Case> found;
  for (const fs::path& log : logs) {
    const fs::path folder = log.parent_path();
    if (found.empty() || found.back().folder != folder)
      found.push_back({folder, folder.lexically_relative(root).generic_string(), {}});
    found.back().logs.push_back(log);
  }
  return found;
}

}  // namespace

const std::vector<Case>& cases(const std::string& kind) {
  // The cases are cached, because Catch2 runs a test case again for each of its sections.
  static std::map<std::string, std::vector<Case>> found;
  const auto [place, is_new] = found.try_emplace(kind);
  if (is_new) place->second = find_cases(kind);
  return place->second;
}

std::filesystem::path source_folder() { return NCCL_ANALYZE_SOURCE_DIR; }

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool accepting() {
  const char* value = std::getenv("NCCL_ANALYZE_ACCEPT");
  return value != nullptr && std::string_view(value) == "1";
}

void check_same(const std::string& actual, const std::string& expected) {
  if (actual == expected) return;
  const auto [one, other] = std::ranges::mismatch(actual, expected);
  const auto at = static_cast<std::size_t>(one - actual.begin());
  const auto line = [at](const std::string& text) {
    const std::size_t from = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return text.substr(from, std::min(text.find('\n', at), text.size()) - from);
  };
  FAIL_CHECK("line " << std::count(actual.begin(), one, '\n') + 1 << " is\n  " << line(actual) << "\nand should be\n  "
                     << line(expected));
}

void check_file(const fs::path& path, const std::string& actual) {
  INFO(path << " (NCCL_ANALYZE_ACCEPT=1 writes it again)");
  if (accepting()) {
    std::ofstream file(path, std::ios::binary);
    file << actual;
    REQUIRE(file.flush());
  } else {
    check_same(actual, read_file(path));
  }
}

}  // namespace nccl_analyze
