#pragma once
/// Events of the rings, trees and chains of a communicator. A neighbour that does not exist has the rank -1.

#include <string_view>

#include "nccl_analyze/events/field.h"
#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

/// `Channel 00/02 : 0 1 2 3`: the ring of a channel, which rank 0 prints.
struct RingListed {
  static constexpr std::string_view name = "ring_listed";
  int channel = -1;
  int channels = -1;  ///< Number of channels; -1 when not printed.
  RankList ranks;     ///< In the order of the ring.
  NCCL_ANALYZE_FIELDS(RingListed, channel, channels, ranks)
};

/// `Ring 00 : 3 -> 0 -> 1`: the neighbours of a rank in the ring of a channel.
struct RingLinked {
  static constexpr std::string_view name = "ring_linked";
  int channel = -1, prev = -1, rank = -1, next = -1;
  Hex comm;  ///< RCCL only.
  NCCL_ANALYZE_FIELDS(RingLinked, channel, prev, rank, next, comm)
};

/// `Trees [0] 2/-1/-1->0->-1 …`: the neighbours of a rank in the trees of all channels.
struct TreesBuilt {
  static constexpr std::string_view name = "trees_built";
  TreeList trees = {};
  Hex comm = {};    ///< RCCL only.
  int nranks = -1;  ///< RCCL only.
  NCCL_ANALYZE_FIELDS(TreesBuilt, trees, comm, nranks)
};

/// `Tree 0 : -1 -> 0 -> 2/-1/-1`: the neighbours of a rank in the tree of a channel.
struct TreeLinked {
  static constexpr std::string_view name = "tree_linked";
  int channel = -1, up = -1, rank = -1, down0 = -1, down1 = -1, down2 = -1;
  NCCL_ANALYZE_FIELDS(TreeLinked, channel, up, rank, down0, down1, down2)
};

/// `NVLS Trees : …` (GRAPH, 2.18.1+): the neighbours of a rank in the two trees that connect the NVLS heads of nodes
/// over the network.
struct NvlsTreesLinked {
  static constexpr std::string_view name = "nvls_trees_linked";
  int rank = -1;
  int up = -1, down0 = -1, down1 = -1, down2 = -1;
  int second_up = -1, second_down0 = -1, second_down1 = -1, second_down2 = -1;
  NCCL_ANALYZE_FIELDS(NvlsTreesLinked, rank, up, down0, down1, down2, second_up, second_down0, second_down1,
                      second_down2)
};

/// `NVLS Head 0: 0 8` (GRAPH): the ranks, one in each node, that are the NVLS head with this number.
struct NvlsHeadListed {
  static constexpr std::string_view name = "nvls_head_listed";
  int head = -1;
  RankList ranks;
  NCCL_ANALYZE_FIELDS(NvlsHeadListed, head, ranks)
};

/// `NVLS comm …` (2.18.1+): a rank allocated its NVLS buffers.
struct NvlsSetUp {
  static constexpr std::string_view name = "nvls_set_up";
  Hex comm;
  int head = -1;   ///< The rank's number as an NVLS head; -1: the rank is not a head.
  int heads = -1;  ///< Number of heads.
  NCCL_ANALYZE_FIELDS(NvlsSetUp, comm, head, heads)
};

/// A consistency check in NCCL failed: a ring does not close or lacks a rank, or a rank has too many children in a
/// tree.
struct GraphBroken {
  static constexpr std::string_view name = "graph_broken";
  int ring = -1;  ///< The channel of the ring; -1 if a tree is inconsistent.
  NCCL_ANALYZE_FIELDS(GraphBroken, ring)
};

/// `Connected all rings`: a rank connected all of its rings.
struct RingsConnected {
  static constexpr std::string_view name = "rings_connected";
  int pxn = -1, gdr = -1;  ///< Whether rings use PXN and GPUDirect RDMA: 0 or 1; -1 before 2.24.3.
  Hex comm;                ///< RCCL only.
  NCCL_ANALYZE_FIELDS(RingsConnected, pxn, gdr, comm)
};

/// `Collnet Chains …` (2.14.3 to 2.21.5), printed before the chains are connected, or `Connected Collnet Chains …`
/// (2.22.3+), printed afterwards.
struct CollnetChainsBuilt {
  static constexpr std::string_view name = "collnet_chains_built";
  bool connected = false;
  ChainList chains = {};
  NCCL_ANALYZE_FIELDS(CollnetChainsBuilt, connected, chains)
};

/// A rank connected to its peers for an algorithm other than rings.
struct AlgorithmConnected {
  static constexpr std::string_view name = "algorithm_connected";
  std::string_view algorithm;  ///< `all trees`, `binomial trees`, `NVLS tree`, `collnet + chain` or `CollNet`.
  NCCL_ANALYZE_FIELDS(AlgorithmConnected, algorithm)
};

/// The numbers of channels of a communicator, by use. Since 2.21.5, `collnet` equals `coll` and does not show whether
/// SHARP is used.
struct ChannelsCounted {
  static constexpr std::string_view name = "channels_counted";
  int coll = -1, collnet = -1, nvls = -1, p2p = -1, p2p_per_peer = -1;
  NCCL_ANALYZE_FIELDS(ChannelsCounted, coll, collnet, nvls, p2p, p2p_per_peer)
};

}  // namespace nccl_analyze
