// Tests how a tree of ranks becomes a tree of hosts.

#include "report/graph/host_trees.h"

#include <string>

#include "catch.h"

using namespace nccl_analyze;

namespace {

/// Hosts of two ranks each: ranks 0 and 1 are on host 0.
int host_of_pair(int rank) { return rank / 2; }

/// `0[0 1] -1[2]`: each host with its ranks, behind a dash for each host above.
std::string shown(const std::vector<TreeHost>& hosts) {
  std::string text;
  for (const TreeHost& host : hosts) {
    text += (text.empty() ? "" : " ") + std::string(host.depth, '-') + std::to_string(host.host) + "[";
    for (const int rank : host.ranks) text += (text.ends_with('[') ? "" : " ") + std::to_string(rank);
    text += "]";
  }
  return text;
}

}  // namespace

TEST_CASE("host trees: each host stands behind the host above it and its subtree") {
  CHECK(shown(hosts_of_tree({{0, 1}, {0, 2}, {0, 4}, {2, 3}, {2, 6}, {6, 7}, {4, 5}}, host_of_pair)) ==
        "0[0 1] -1[2 3] --3[6 7] -2[4 5]");
}

TEST_CASE("host trees: a host that a tree leaves and enters again stands twice") {
  CHECK(shown(hosts_of_tree({{0, 2}, {2, 1}}, host_of_pair)) == "0[0] -1[2] --0[1]");
}

TEST_CASE("host trees: ranks of unknown hosts stand alone") {
  CHECK(shown(hosts_of_tree({{0, 1}, {1, 2}}, [](int) { return -1; })) == "-1[0] --1[1] ---1[2]");
}

TEST_CASE("host trees: several roots, and cycles of damaged logs") {
  CHECK(shown(hosts_of_tree({{6, 4}, {0, 2}}, host_of_pair)) == "0[0] -1[2] 3[6] -2[4]");
  CHECK(shown(hosts_of_tree({{2, 4}, {4, 2}, {0, 0}}, host_of_pair)) == "0[0] 1[2] -2[4]");
  CHECK(hosts_of_tree({}, host_of_pair).empty());
}

TEST_CASE("host trees: a chain of a hundred thousand hosts") {
  std::vector<std::pair<int, int>> chain;
  for (int rank = 0; rank < 100'000; ++rank) chain.emplace_back(rank, rank + 1);
  const std::vector<TreeHost> hosts = hosts_of_tree(chain, [](int rank) { return rank; });
  REQUIRE(hosts.size() == 100'001);
  CHECK(hosts.back().depth == 100'000);
}
