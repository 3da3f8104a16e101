// Tests CollNet chains, NVLS heads and trees, and counts of channels.

#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "model/small_log.h"

namespace nccl_analyze::test {

TEST_CASE("graph: CollNet chains of any release belong to the communicator that their lines fit") {
  const auto chains = [](const std::string& words, int down, int rank, int up) {
    const std::string link = std::to_string(down) + "->" + std::to_string(rank) + "->" + std::to_string(up);
    return words + "  [0] " + link + " [1] " + link;
  };
  const auto rank = [&](int number, int down, int up) {
    const int tid = 10 * (number + 1);
    return start(number + 1, tid, "0xa", number, 4, "commId 0x7",
                 line(number + 1, tid, chains("Collnet Chains", down, number, up)) +
                     line(number + 1, tid, "Connected collnet + chain"));
  };
  // Two nodes of two ranks. The head of each node connects to the network, whose number is the number of ranks: 4.
  const Model old = model_of(rank(0, 1, 4) + rank(1, -1, 0) + rank(2, 3, 4) + rank(3, -1, 2));
  REQUIRE(old.communicators.size() == 1);
  REQUIRE(old.communicators[0].collnet_chains.size() == 2);
  for (const Tree& chain : old.communicators[0].collnet_chains) {
    CHECK(chain.links == std::vector<std::pair<int, int>>{{0, 1}, {2, 3}});
    CHECK(chain.complete);
  }
  CHECK(old.communicators[0].ranks[0].has(Algorithm::collnet_chain));

  // Since 2.22.3, chains are connected at the first collective. Other connections of the thread identify the
  // communicator.
  const Model lazy = model_of(start(1, 10, "0xa", 0, 2, "commId 0x7") + start(1, 10, "0xb", 0, 4, "commId 0x8") +
                              line(1, 11, via(0, 3)) + line(1, 11, chains("Connected Collnet Chains", 3, 0, 4)));
  REQUIRE(lazy.communicators.size() == 2);
  CHECK(lazy.communicators[0].collnet_chains.empty());
  CHECK_FALSE(lazy.communicators[0].ranks[0].has(Algorithm::collnet_chain));
  REQUIRE(lazy.communicators[1].collnet_chains.size() == 2);
  CHECK(lazy.communicators[1].collnet_chains[0].links.empty());
  CHECK_FALSE(lazy.communicators[1].collnet_chains[0].complete);
  CHECK(lazy.communicators[1].ranks[0].has(Algorithm::collnet_chain));
}

TEST_CASE("graph: NVLS heads and trees, CollNet ends and counts of channels are those of the lines") {
  const std::string counts =
      "2 coll channels, 2 collnet channels, 16 nvls channels, 32 p2p channels, 8 p2p channels per peer";
  const Model model = model_of(
      start(1, 10, "0xa", 0, 2, "commId 0x7",
            line(1, 10, "NVLS Head  0:  0  1") + line(1, 10, "NVLS Trees : 1/-1/-1->0->-1 -1/-1/-1->0->1") +
                line(1, 10, counts)) +
      line(1, 10, "NVLS comm 0xa headRank 3 nHeads 4 buffSize 1 nvlsPerRankSize 1 nvlsTotalSize 1") +
      line(1, 11, "CollNet 00/1 : 0 [send] via COLLNET/SHARP/0/GDRDMA") +
      line(1, 11, "CollNet 01/1 : 0 [send] via COLLNET/SHARP/0/GDRDMA") + line(1, 11, "Connected binomial trees") +
      line(1, 11, "CollNet 01/1 : 5 [send] via COLLNET/SHARP/0") + line(1, 11, "rank 0 Connected CollNet"));
  REQUIRE(model.communicators.size() == 1);
  const Communicator& comm = model.communicators[0];
  CHECK(comm.nvls_channels == 16);
  CHECK(comm.p2p_channels == 32);
  CHECK(comm.p2p_channels_per_peer == 8);
  CHECK(comm.nvls_head_count == 4);
  REQUIRE(comm.nvls_heads.size() == 1);
  CHECK(comm.nvls_heads[0].ranks == std::vector{0, 1});
  REQUIRE(comm.nvls_trees.size() == 2);
  CHECK(comm.nvls_trees[0].links == std::vector{std::pair{0, 1}});
  CHECK(comm.nvls_trees[1].links == std::vector{std::pair{1, 0}});
  REQUIRE(comm.collnet.size() == 1);
  CHECK(comm.collnet_chains.empty());
  CHECK(comm.collnet[0].from == 0);
  CHECK(comm.collnet[0].channels == 3);
  CHECK(comm.transports[comm.collnet[0].transport] == "COLLNET/SHARP");
  CHECK(comm.connections.empty());
  const Rank& rank = comm.ranks[0];
  CHECK(rank.nvls_head == 3);
  CHECK(rank.has(Algorithm::binomial_trees));
  CHECK(rank.has(Algorithm::collnet_direct));
  CHECK_FALSE(rank.has(Algorithm::rings));
}

}  // namespace nccl_analyze::test
