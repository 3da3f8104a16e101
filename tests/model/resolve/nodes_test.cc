// Tests which ranks share a node of NCCL.

#include <string>
#include <vector>

#include "catch.h"
#include "model/placed_job.h"

namespace nccl_analyze::test {
namespace {

/// Returns the node of each rank; -1 if unknown.
std::vector<int> nodes_of(const Model& model) {
  REQUIRE(model.communicators.size() == 1);
  std::vector<int> nodes;
  for (const Rank& rank : model.communicators[0].ranks) nodes.push_back(rank.node);
  return nodes;
}

}  // namespace

TEST_CASE("nodes: ranks dealt round over two hosts are in the nodes of their hosts") {
  const Model model = placed_model(
      placed_job({{"a", 0, 4, 2, 2, 0}, {"b", 1, 4, 2, 2, 0}, {"a", 2, 4, 2, 2, 1}, {"b", 3, 4, 2, 2, 1}}));
  CHECK(nodes_of(model) == std::vector<int>{0, 1, 0, 1});
  REQUIRE(model.communicators[0].nodes.size() == 2);
  CHECK(model.communicators[0].nodes[1].number == 1);
  CHECK(model.communicators[0].nodes[1].local_ranks == 2);
  CHECK_FALSE(model.communicators[0].nodes[1].inferred);
  CHECK(!has(job_text(model), "NCCL sees"));
}

TEST_CASE("nodes: hosts of one name are told apart by the order of local ranks") {
  const Model model = placed_model(
      placed_job({{"a", 0, 4, 2, 2, 0}, {"a", 1, 4, 2, 2, 1}, {"a", 2, 4, 2, 2, 0}, {"a", 3, 4, 2, 2, 1}}));
  CHECK(nodes_of(model) == std::vector<int>{0, 0, 1, 1});
  CHECK(has(job_text(model), "NCCL sees 2 nodes on 1 host"));
}

TEST_CASE("nodes: two nodes of one host are told apart by connections, or not at all") {
  const std::vector<Placed> ranks = {
      {"a", 0, 4, 2, 2, 0}, {"a", 1, 4, 2, 2, 0}, {"a", 2, 4, 2, 2, 1}, {"a", 3, 4, 2, 2, 1}};
  CHECK(nodes_of(placed_model(placed_job(ranks))) == std::vector<int>{-1, -1, -1, -1});
  const std::string p2p = rank_via("a", 0, 3, "via P2P/CUMEM");
  CHECK(nodes_of(placed_model(placed_job(ranks, p2p))) == std::vector<int>{0, 1, 1, 0});
}

TEST_CASE("nodes: ranks of one host that NCCL sees as nodes of their own are several nodes") {
  const Model model = placed_model(placed_job({{"a", 0, 2, 2, 1, 0}, {"a", 1, 2, 2, 1, 0}}));
  CHECK(nodes_of(model) == std::vector<int>{0, 1});
  CHECK(has(job_text(model), "NCCL sees 2 nodes on 1 host: ranks of one host are reached over the network"));
}

TEST_CASE("nodes: an NVLink domain spans hosts") {
  const Model model = placed_model(
      placed_job({{"a", 0, 4, 2, 2, 0, 1}, {"b", 1, 4, 2, 2, 1, 1}, {"c", 2, 4, 2, 2, 0, 1}, {"d", 3, 4, 2, 2, 1, 1}}));
  CHECK(nodes_of(model) == std::vector<int>{0, 0, 1, 1});
  CHECK(has(job_text(model), "NCCL sees 2 nodes on 4 hosts: NVLink joins them"));
}

TEST_CASE("nodes: with one host's log its node is inferred and has no number") {
  const Model model = placed_model(placed_job({{"b", 4, 8, 2, 4, 0}, {"b", 5, 8, 2, 4, 1}, {"b", 7, 8, 2, 4, 3}}));
  CHECK(nodes_of(model) == std::vector<int>{0, 0, 0});
  const Node& node = model.communicators[0].nodes.at(0);
  CHECK(node.number == -1);
  CHECK(node.local_ranks == 4);
  CHECK(node.inferred);
}

TEST_CASE("nodes: numbers that contradict each other state no node") {
  CHECK(nodes_of(placed_model(placed_job({{"a", 0, 2, 3, 1, 0}, {"b", 1, 2, 3, 1, 0}}))) == std::vector<int>{-1, -1});
  CHECK(nodes_of(placed_model(placed_job({{"a", 0, 2, 2, 2, 1}, {"a", 1, 2, 2, 2, 1}}))) == std::vector<int>{-1, -1});
}

TEST_CASE("nodes: before nodes are printed connections join ranks of a host") {
  std::string log;
  for (const int rank : {0, 1, 2}) {
    const std::string host = rank < 2 ? "a" : "b";
    log += rank_line(host, rank, "NCCL version 2.18.6+cuda12.1") +
           rank_line(host, rank, placed_identity({host, rank, 3, 0, 0, rank}) + "START");
  }
  log += rank_via("a", 0, 1, "via P2P/IPC") + rank_via("a", 1, 2, "[send] via NET/Socket/0") +
         rank_via("b", 2, 0, "[send] via NET/Socket/0");
  for (const int rank : {0, 1, 2}) {
    const std::string host = rank < 2 ? "a" : "b";
    log += rank_line(host, rank, placed_identity({host, rank, 3, 0, 0, rank}) + "COMPLETE");
  }
  const Model model = placed_model(log);
  CHECK(nodes_of(model) == std::vector<int>{0, 0, 1});
  CHECK(model.communicators[0].nodes.at(0).inferred);
  CHECK(model.communicators[0].nodes.at(0).local_ranks == 2);
}

}  // namespace nccl_analyze::test
