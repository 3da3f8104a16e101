#pragma once
/// Rings, trees and chains of a communicator.

#include <string_view>

#include "nccl_analyze/events/field.h"
#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

/// Rank 0's `Channel 00/02 : 0 1 2 3`: the order of the ring.
struct RingListed {
  static constexpr std::string_view name = "ring_listed";
  int channel = -1;
  int channels = -1;
  RankList ranks;
  NCCL_ANALYZE_FIELDS(RingListed, channel, channels, ranks)
};

struct RingLinked {
  static constexpr std::string_view name = "ring_linked";
  int channel = -1, prev = -1, rank = -1, next = -1;
  Hex comm;  ///< RCCL
  NCCL_ANALYZE_FIELDS(RingLinked, channel, prev, rank, next, comm)
};

struct TreesBuilt {
  static constexpr std::string_view name = "trees_built";
  TreeList trees = {};
  Hex comm = {};  ///< RCCL
  int nranks = -1;
  NCCL_ANALYZE_FIELDS(TreesBuilt, trees, comm, nranks)
};

struct TreeLinked {
  static constexpr std::string_view name = "tree_linked";
  int channel = -1, up = -1, rank = -1, down0 = -1, down1 = -1, down2 = -1;
  NCCL_ANALYZE_FIELDS(TreeLinked, channel, up, rank, down0, down1, down2)
};

/// `NVLS Trees : …` (GRAPH, 2.18.1+): the two trees that join the heads of nodes over the network.
struct NvlsTreesLinked {
  static constexpr std::string_view name = "nvls_trees_linked";
  int rank = -1;
  int up = -1, down0 = -1, down1 = -1, down2 = -1;
  int second_up = -1, second_down0 = -1, second_down1 = -1, second_down2 = -1;
  NCCL_ANALYZE_FIELDS(NvlsTreesLinked, rank, up, down0, down1, down2, second_up, second_down0, second_down1,
                      second_down2)
};

/// `NVLS Head 0: 0 8` (GRAPH): the rank of each node that is this head.
struct NvlsHeadListed {
  static constexpr std::string_view name = "nvls_head_listed";
  int head = -1;
  RankList ranks;
  NCCL_ANALYZE_FIELDS(NvlsHeadListed, head, ranks)
};

/// `NVLS comm …` (2.18.1+): a rank got its NVLS resources.
struct NvlsSetUp {
  static constexpr std::string_view name = "nvls_set_up";
  Hex comm;
  int head = -1;  ///< -1: the rank is none
  int heads = -1;
  NCCL_ANALYZE_FIELDS(NvlsSetUp, comm, head, heads)
};

/// NCCL's own checks failed: a ring that does not close or lacks a rank, a tree with too many children.
struct GraphBroken {
  static constexpr std::string_view name = "graph_broken";
  int ring = -1;  ///< -1: a tree
  NCCL_ANALYZE_FIELDS(GraphBroken, ring)
};

struct RingsConnected {
  static constexpr std::string_view name = "rings_connected";
  int pxn = -1, gdr = -1;  ///< -1 before 2.24.3
  Hex comm;                ///< RCCL
  NCCL_ANALYZE_FIELDS(RingsConnected, pxn, gdr, comm)
};

/// `Collnet Chains …` (2.14.3 to 2.21.5), before they are connected; `Connected Collnet Chains …` (2.22.3+), after.
struct CollnetChainsBuilt {
  static constexpr std::string_view name = "collnet_chains_built";
  bool connected = false;
  ChainList chains = {};
  NCCL_ANALYZE_FIELDS(CollnetChainsBuilt, connected, chains)
};

/// `Connected all trees`, `… binomial trees`, `… NVLS tree`, CollNet: `algorithm` says which.
struct AlgorithmConnected {
  static constexpr std::string_view name = "algorithm_connected";
  std::string_view algorithm;
  NCCL_ANALYZE_FIELDS(AlgorithmConnected, algorithm)
};

/// `collnet` mirrors `coll` since 2.21.5 and says nothing about SHARP.
struct ChannelsCounted {
  static constexpr std::string_view name = "channels_counted";
  int coll = -1, collnet = -1, nvls = -1, p2p = -1, p2p_per_peer = -1;
  NCCL_ANALYZE_FIELDS(ChannelsCounted, coll, collnet, nvls, p2p, p2p_per_peer)
};

}  // namespace nccl_analyze
