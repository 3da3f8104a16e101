#pragma once
// Edges of rings and trees, each with the set of channels that use it.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "model/build/folded.h"
#include "model/flat_tables.h"
#include "model/sort_key.h"

namespace nccl_analyze::builder {

/// An edge from → to, on the channels of one block.
struct Edge {
  int from = -1, to = -1;
  std::uint8_t block = 0;
  std::uint64_t channels = 0;  ///< Bit i: channel 64·block + i.
  auto key() const { return std::tuple{sortable(from) << 32U | sortable(to), block}; }
  std::size_t hash() const {
    return spread(static_cast<std::uint64_t>(from) << 32U ^ static_cast<std::uint64_t>(to) << 8U ^ block);
  }
  bool has(int channel) const { return block == block_of(channel) && (channels & channel_bit(channel)) != 0; }
};
inline Edge edge_on(int channel, int from, int to) { return {from, to, block_of(channel), channel_bit(channel)}; }
inline auto sort_key(const Edge& edge) { return edge.key(); }
using Edges = Folded<Edge>;

/// An edge parent → child. A `from` of -1 marks `to` as the root.
struct TreeEdge : Edge {
  std::uint64_t by_parent = 0, by_child = 0;  ///< Channels on which the parent or the child printed the edge.
  std::size_t hash() const = delete;          ///< Not needed: a rank prints the trees of all channels in one line.
};
inline void take_channels(TreeEdge& into, const TreeEdge& from) {
  into.channels |= from.channels;
  into.by_parent |= from.by_parent;
  into.by_child |= from.by_child;
}
using TreeEdges = Folded<TreeEdge>;

inline int count_channels(const std::vector<Edge>& edges) {
  int count = 0;
  for (const Edge& edge : edges) count += std::popcount(edge.channels);
  return count;
}

}  // namespace nccl_analyze::builder
