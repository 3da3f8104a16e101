// The table of places in the source of each release, and lookups in it.

#include "messages/release_places.h"

#include <algorithm>
#include <climits>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"

namespace nccl_analyze {
namespace {

std::vector<std::string> tab_cells(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, '\t');) cells.push_back(cell);
  return cells;
}

/// Returns the versions of `project` that have the place.
std::vector<std::string_view> versions_with(const ReleasePlaces& table, std::string_view file, int line,
                                            bool is_trace = true, std::string_view project = "NCCL") {
  const CodePlace place{file, line, is_trace};
  const ReleasePlaces::Set releases = table.find({&place, 1}).front().releases;
  std::vector<std::string_view> versions;
  for (std::size_t i = 0; i < table.releases().size(); ++i)
    if (releases.test(i) && table.releases()[i].project == project) versions.push_back(table.releases()[i].version);
  return versions;
}

using Versions = std::vector<std::string_view>;

// `D` is 3, `hF` is 32 + 5, `hB` is 32 + 1 and `E` is 4: the lines 3, 40, 73 and 77.
constexpr std::string_view small =
    "release\tNCCL\t2.1.0\t2.1.0\n"
    "release\tNCCL\t2.2.0\t2.2.0\n"
    "release\tNCCL\t2.10.0\t2.10.0\n"
    "release\tRCCL\t9.0.0\t2.2.0\n"
    "NCCL\tinit.cc\tT\t2.1.0-2.2.0\tDhFhBE\n"
    "NCCL\tinit.cc\tT\t2.10.0\tE\n"
    "NCCL\ttransport/net.cc\tW\t2.1.0,2.10.0\tH\n"
    "RCCL\tinit.cc\tT\t9.0.0\tD\n";

}  // namespace

TEST_CASE("release places: the table is well formed and small") {
  CHECK(release_places.size() <= 300'000);
  const ReleasePlaces table(release_places);
  CHECK(table.releases().size() + 32 < ReleasePlaces::Set{}.size());  // There is room for the next releases.
  std::set<std::pair<std::string, std::string>> names;
  for (const ReleasePlaces::Release& one : table.releases()) {
    CHECK(names.emplace(one.project, one.name).second);
    CHECK(one.version.starts_with("2."));
  }
  std::istringstream rows{std::string(release_places)};
  std::set<std::string> known;
  for (std::string line; std::getline(rows, line);) {
    const std::vector<std::string> cells = tab_cells(line);
    if (cells.front() == "release") continue;
    REQUIRE(cells.size() == 5);
    const bool is_row = (cells[2] == "T" || cells[2] == "W") && known.insert(line).second && !cells[4].empty();
    if (!is_row) FAIL(line);
    std::istringstream spans(cells[3]);
    for (std::string span; std::getline(spans, span, ',');)
      for (const std::string& name : {span.substr(0, span.find('-')), span.substr(span.find('-') + 1)})
        if (!names.contains({cells[0], name})) FAIL(line);
  }
  CHECK(known.size() > 2000);
}

TEST_CASE("release places: a place names its releases") {
  const ReleasePlaces table(small);
  CHECK(table.releases().size() == 4);
  CHECK(versions_with(table, "init.cc", 3) == Versions{"2.1.0", "2.2.0"});
  CHECK(versions_with(table, "init.cc", 4) == Versions{"2.10.0"});
  CHECK(versions_with(table, "init.cc", 40) == Versions{"2.1.0", "2.2.0"});
  CHECK(versions_with(table, "init.cc", 77) == Versions{"2.1.0", "2.2.0"});
  CHECK(versions_with(table, "init.cc", 5).empty());
  CHECK(versions_with(table, "init.cc", 3, true, "RCCL") == Versions{"2.2.0"});
  CHECK(versions_with(table, "init.cc", 3, false).empty());
  CHECK(versions_with(table, "transport/net.cc", 7, false) == Versions{"2.1.0", "2.10.0"});
}

TEST_CASE("release places: a path is printed with more or fewer folders") {
  const ReleasePlaces table(small);
  for (const char* const path : {"net.cc", "transport/net.cc", "src/transport/net.cc",
                                 "/build/hipify/src/transport/net.cc", "/build/src/transport/net.cpp"})
    CHECK(versions_with(table, path, 7, false).size() == 2);
  for (const char* const path : {"subnet.cc", "misc/net.cc", "net.h", "net", "", "/", "net.cc/", "transport/"}) {
    const CodePlace place{path, 7, false};
    CHECK(!table.find({&place, 1}).front().is_known);
  }
}

TEST_CASE("release places: real places") {
  const ReleasePlaces table(release_places);
  CHECK(versions_with(table, "graph/topo.cc", 773) == Versions{"2.21.5", "2.23.4"});
  CHECK(versions_with(table, "init.cc", 1548) == Versions{"2.21.5", "2.28.7", "2.28.9", "2.30.3", "2.30.4"});
}

TEST_CASE("release places: no line is too large and no table too torn") {
  const ReleasePlaces table(release_places);
  for (const int line : {INT_MIN, -1, 0, INT_MAX}) CHECK(versions_with(table, "init.cc", line).empty());
  for (std::size_t size = 0; size < small.size(); ++size)
    CHECK(versions_with(ReleasePlaces(small.substr(0, size)), "init.cc", 3).size() <= 2);
  for (const char* const garbage : {"\t\t\t\t\n", "release", "release\t\n", "NCCL\tinit.cc\tT\t-,-\t////\n", "\n\n\n"})
    CHECK(versions_with(ReleasePlaces(garbage), "init.cc", 3).empty());
  std::string many;
  for (int i = 0; i < 1000; ++i)
    many += "release\tNCCL\t2.1." + std::to_string(i) + "\t2.1." + std::to_string(i) + "\n";
  CHECK(ReleasePlaces(many).releases().size() == ReleasePlaces::Set{}.size());
}

TEST_CASE("release places: many places are looked up at once") {
  const ReleasePlaces table(release_places);
  std::vector<CodePlace> places;
  for (int line = 0; line < 100'000; ++line) places.push_back({line % 2 == 0 ? "init.cc" : "nowhere.cc", line, true});
  const std::vector<ReleasePlaces::Found> found = table.find(places);
  REQUIRE(found.size() == places.size());
  CHECK(found[1548].releases.any());
  CHECK(std::ranges::count_if(found, &ReleasePlaces::Found::is_known) == 50'000);
}

}  // namespace nccl_analyze
