// Tests the limit on the number of lines of a file.

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "catch.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

namespace fs = std::filesystem;

constexpr std::ptrdiff_t max_lines = 500;

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

TEST_CASE("house: a file has at most 500 lines") { CHECK(long_files() == std::set<std::string>{}); }

}  // namespace
}  // namespace nccl_analyze
