// Tests that a layer includes only layers to its left in the pipeline, and that each third-party library is included in
// one place only.

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 13> layers{"text",   "messages", "evidence", "parser", "redact",
                                                  "model",  "queries",  "rules",    "expect", "compare",
                                                  "report", "job",      "input"};

std::vector<fs::path> sources(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".h" || entry.path().extension() == ".cc") found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

/// Returns the names in the `#include` lines of a file, each with its opening quote or bracket: `"text/lines.h`,
/// `<vector`.
std::vector<std::string> includes(const fs::path& file) {
  std::istringstream lines(read_file(file));
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#include ")) continue;
    const std::size_t from = line.find_first_of("\"<");
    found.push_back(line.substr(from, line.find_first_of("\">", from + 1) - from));
  }
  return found;
}

std::size_t position(std::string_view layer) {
  return static_cast<std::size_t>(std::ranges::find(layers, layer) - layers.begin());
}

/// Folders of lib/ that are no layer: other languages' doors to the library.
constexpr std::array<std::string_view, 2> surfaces{"c_api", "python"};

}  // namespace

TEST_CASE("arrows: every folder of lib/ is a layer or a surface") {
  for (const fs::directory_entry& entry : fs::directory_iterator(source_folder() / "lib")) {
    INFO(entry.path());
    const std::string name = entry.path().filename().string();
    CHECK((position(name) < layers.size() || std::ranges::find(surfaces, name) != surfaces.end()));
  }
}

TEST_CASE("arrows: a layer includes only itself, layers to its left and public headers") {
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    for (const fs::path& file : sources(source_folder() / "lib" / layers[layer])) {
      for (const std::string& include : includes(file)) {
        if (include.front() != '"') continue;
        INFO(file << " includes " << include);
        const std::string from = include.substr(1, include.find('/') - 1);
        const bool public_header = from == "nccl_analyze";
        CHECK((public_header || position(from) <= layer));
      }
    }
  }
}

TEST_CASE("arrows: the program and its plugin do not know the C interface, and the library does not know them") {
  for (const fs::path& file : sources(source_folder() / "lib")) {
    for (const std::string& include : includes(file)) {
      INFO(file << " includes " << include);
      CHECK(!include.starts_with("\"cli/"));
    }
  }
  for (const fs::path& file : sources(source_folder() / "cli/kubectl")) {
    for (const std::string& include : includes(file)) {
      INFO(file << " includes " << include);
      CHECK((!include.starts_with("\"cli/") || include.starts_with("\"cli/kubectl/")));
    }
  }
  for (const fs::path& file : sources(source_folder() / "cli")) {
    for (const std::string& include : includes(file)) {
      INFO(file << " includes " << include);
      CHECK(!include.starts_with("\"c_api/"));
    }
  }
}

TEST_CASE("arrows: public headers name no third party") {
  for (const fs::path& file : sources(source_folder() / "include")) {
    for (const std::string& include : includes(file)) {
      INFO(file << " includes " << include);
      const bool own = include.starts_with("\"nccl_analyze/") || file.filename() == "language.h";
      const bool standard =
          include == "<stddef.h" || (include.front() == '<' && include.find_first_of("./") == std::string::npos);
      CHECK((own || standard));
    }
  }
}

TEST_CASE("arrows: a third party is known to one place of cli/ and one of lib/") {
  struct Place {
    std::string_view header;
    std::string_view file;
    std::string_view second = {}, third = {}, fourth = {}, fifth = {};
  };
  constexpr std::array<Place, 8> places{
      {{"<nlohmann/", "lib/model/summary/summary_reader.cc", "lib/expect/located_json.cc", "lib/evidence/",
        "lib/compare/report_json.h", "cli/kubectl/pods.cc"},
       {"<graphviz/", "cli/render.cc", "cli/cgraph_ids.h"},
       {"<re2/", "cli/", "lib/expect/site_rules.h", "lib/input/own_output.cc"},
       {"<spdlog/", "lib/input/logging.cc"},
       {"<hwy/", "lib/text/line_scan_"},
       {"<CLI/", "cli/option", "cli/kubectl/command_line.cc"},
       {"<archive", "lib/input/unpack.cc"},
       {"<zstd", "lib/input/codecs.cc", "lib/model/summary/packed_piece.cc"}}};
  for (const char* folder : {"lib", "cli"}) {
    for (const fs::path& file : sources(source_folder() / folder)) {
      for (const std::string& include : includes(file)) {
        for (const Place& place : places) {
          if (!include.starts_with(place.header)) continue;
          INFO(file << " includes " << include);
          const std::string path = file.lexically_relative(source_folder()).generic_string();
          CHECK((path.starts_with(place.file) || (!place.second.empty() && path == place.second) ||
                 (!place.third.empty() && path.starts_with(place.third)) || path == place.fourth ||
                 path == place.fifth));
        }
      }
    }
  }
}

}  // namespace nccl_analyze
