// Tests that lists of edges stay short, however the lines of many ranks alternate.

#include "catch.h"
#include "model/build/edges.h"

namespace nccl_analyze::test {

TEST_CASE("model: an edge is kept once while its channels are printed between those of many other ranks") {
  constexpr int ranks = 500, channels = 32;
  builder::Edges edges;
  for (int channel = 0; channel < channels; ++channel)
    for (int rank = 0; rank < ranks; ++rank) edges.add(builder::edge_on(channel, rank - 1, rank));
  CHECK(edges.items().size() == ranks);
  edges.fold();
  REQUIRE(edges.items().size() == ranks);
  edges.add(builder::edge_on(channels, 7, 8));
  CHECK(edges.items().size() == ranks);
  for (const builder::Edge& edge : edges.items()) {
    CHECK(edge.to == edge.from + 1);
    CHECK(edge.has(channels) == (edge.from == 7));
    CHECK(edge.has(channels - 1));
  }
}

TEST_CASE("model: a tree edge keeps apart who printed its channels") {
  builder::TreeEdges edges;
  for (int rank = 0; rank < 100; ++rank) edges.add({builder::edge_on(0, rank, rank + 1), 1, 0});
  for (int rank = 0; rank < 100; ++rank) edges.add({builder::edge_on(1, rank, rank + 1), 0, 2});
  edges.fold();
  REQUIRE(edges.items().size() == 100);
  for (const builder::TreeEdge& edge : edges.items()) {
    CHECK(edge.by_parent == 1);
    CHECK(edge.by_child == 2);
    CHECK(edge.channels == 3);
  }
}

}  // namespace nccl_analyze::test
