// Tests the limit on the number of lines of a file.

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>

#include "catch.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

namespace fs = std::filesystem;

constexpr std::ptrdiff_t max_lines = 500;

/// A file that may be longer than max_lines, and the reason.
struct LongFile {
  std::string_view path;
  std::string_view reason;
};

/// Readers look up a row in a table and do not read it from top to bottom, so two halves would be no easier to read.
constexpr std::array<LongFile, 1> tables{{{"lib/messages/phrase_table.h", "one row a phrase of another program"}}};

std::set<std::string> long_files() {
  std::set<std::string> found;
  for (const char* const folder : {"include", "lib", "cli"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_folder() / folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cc") continue;
      const std::string text = read_file(entry.path());
      if (std::count(text.begin(), text.end(), '\n') > max_lines)
        found.insert(entry.path().lexically_relative(source_folder()).generic_string());
    }
  }
  return found;
}

TEST_CASE("house: a file that is no table has at most 500 lines") {
  std::set<std::string> excepted;
  for (const LongFile& table : tables) excepted.emplace(table.path);
  const std::set<std::string> found = long_files();
  for (const std::string& file : found) {
    INFO(file << " is too long; cut it in two by subject");
    CHECK(excepted.contains(file));
  }
  for (const std::string& file : excepted) {
    INFO(file << " is short enough; take it off the list");
    CHECK(found.contains(file));
  }
}

}  // namespace
}  // namespace nccl_analyze
