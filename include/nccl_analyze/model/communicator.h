#pragma once
/// A communicator: its ranks, nodes, rings, trees and connections.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model/calls.h"
#include "nccl_analyze/model/connections.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// How long the phases of a bootstrap took, in seconds. BootstrapTimed explains the phases.
struct BootstrapSeconds {
  double total = 0, create = 0, send = 0, recv = 0, ring = 0, delay = 0;
  LineRef at;
};
/// How long the phases of an initialisation took, in seconds. InitTimed explains the phases.
struct InitSeconds {
  double total = 0, kernels = 0, alloc = 0, bootstrap = 0, allgathers = 0, topo = 0, graphs = 0, connections = 0,
         rest = 0;
  LineRef at;
};
/// Seconds from a rank's `Using network` line, which NCCL prints before the rank waits for others in the bootstrap, to
/// a later line of the rank. Both timestamps are of the same clock; the clocks of hosts need not agree. -1: unknown.
struct StampedSeconds {
  /// To Init START, which NCCL prints after the bootstrap up to 2.22.3, and before the bootstrap since 2.23.4.
  double to_start = -1;
  double to_complete = -1;  ///< To Init COMPLETE.
  LineRef at;               ///< The `Using network …` line.
};
/// When the initialisation of a rank started and completed, by the timestamps of Init START and Init COMPLETE.
struct RankTimes {
  Moment started, completed;
};

/// The last state of a rank that the log shows.
enum class RankState : std::uint8_t { started, complete, failed, aborted, destroyed };
std::string_view to_string(RankState state);

/// The phases of an initialisation, in order. A rank's phase is the last one that the rank's lines show.
enum class InitPhase : std::uint8_t { bootstrap, allgather, topology, connect, complete };
std::string_view to_string(InitPhase phase);

/// The algorithms in `Connected …` lines, in the order in which NCCL connects them.
enum class Algorithm : std::uint8_t { rings, trees, binomial_trees, nvls_tree, collnet_direct, collnet_chain };
inline constexpr std::size_t algorithms = 6;
/// `trees` for a line `Connected all trees`, `nvls_tree` for `Connected NVLS tree`.
std::string_view to_string(Algorithm algorithm);
inline constexpr std::uint8_t bit_of(Algorithm algorithm) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(algorithm));
}

/// A rank of a communicator. Only ranks whose log is in the input are stored.
struct Rank {
  int rank = -1;
  Index process = -1;
  /// NCCL's pointer to the communicator. In one process, two communicators that exist at the same time have different
  /// pointers.
  std::uint64_t comm = 0;
  int cuda_dev = -1, nvml_dev = -1;
  int local_rank = -1, local_ranks = -1;
  Index node = -1;    ///< Index into Communicator::nodes.
  int channels = -1;  ///< Number of collective channels that this rank printed.
  std::uint64_t bus_id = 0;
  std::uint64_t nics = 0;  ///< Bit i: a network connection to or from the rank uses NIC i.
  RankState state = RankState::started;
  InitPhase phase = InitPhase::bootstrap;
  std::uint8_t connected = 0;  ///< Bit i: a line shows that the rank connected Algorithm i.
  bool has(Algorithm algorithm) const { return (connected & bit_of(algorithm)) != 0; }
  std::int16_t nvls_head = -1;  ///< The rank's number as an NVLS head; -1: not a head, or unknown.
  bool has_bus_id = false;
  bool start_seen = false;  ///< Whether the log has the rank's Init START line (2.18.3+).
  Boxed<BootstrapSeconds> bootstrap_seconds;
  Boxed<InitSeconds> init_seconds;
  Boxed<StampedSeconds> stamped_seconds;
  Boxed<RankTimes> times;        ///< Empty if neither Init START nor Init COMPLETE has a timestamp.
  Boxed<Calls> calls;            ///< Empty if the log has no COLL line of the rank.
  LineRef rings_at, trees_at;    ///< `rings_at`: the first `Ring` line or ring list; `trees_at`: the `Trees` line.
  LineRef started_at, ended_at;  ///< `started_at`: Init START; `ended_at`: Init COMPLETE, abort, failure or destroy.
};

/// A ring as a list of ranks in ring order. A complete ring starts with rank 0. If links are missing, the list is the
/// part that starts with the lowest rank without a known predecessor.
struct Ring {
  int channel = -1;
  SharedList<int> order;
  bool complete = false;
  bool inferred = false;  ///< Whether the ring was reconstructed from connections instead of printed as a ring.
};

/// The tree of a channel as a sorted list of links (parent, child).
struct Tree {
  int channel = -1;
  SharedList<std::pair<int, int>> links;
  bool complete = false;  ///< Whether every parent is known; NCCL truncates the `Trees` line at 1,023 bytes.
};

/// The ranks that have the same NVLS head number, one in each node.
struct NvlsHead {
  int head = -1;
  std::vector<int> ranks;  ///< In NCCL's order of nodes.
};

/// A number of collective channels, and the first line that printed it.
struct ChannelCount {
  int channels = -1;
  LineRef first;
  friend auto operator<=>(const ChannelCount&, const ChannelCount&) = default;
};

/// The kinds of graphs that a channel has.
enum class GraphKind : std::uint8_t { ring, tree };
std::string_view to_string(GraphKind kind);

/// Lines about one channel that cannot all be true: two successors, predecessors or parents of one rank, a child that
/// its parent does not name, or a ring that closes before it has passed all ranks.
struct Contradiction {
  GraphKind kind{};
  int channel = -1;
  std::vector<int> ranks;  ///< The ranks whose lines or links contradict each other, sorted; at most 16.
};

/// A node as NCCL defines it: a set of ranks that reach each other without the network. Rank::node is the node of a
/// rank.
struct Node {
  int number = -1;  ///< NCCL's number of the node; nodes are numbered by lowest rank. -1 unless all nodes are known.
  int local_ranks = -1;   ///< Number of ranks in the node, including ranks without a log in the input.
  bool inferred = false;  ///< Whether the grouping is a guess, because logs are missing or this NCCL prints no nodes.
};

/// One communicator of the job. Members that no line shows are -1 or empty.
struct Communicator {
  /// NCCL's id of the communicator, equal on all its ranks. 0: not printed, as for communicators created by a split
  /// since 2.23.4 and in logs without Init START.
  std::uint64_t comm_id = 0;
  Index parent = -1;  ///< The communicator from which this one was split; -1: none, or unknown.
  int split_count = -1;
  std::int64_t color = -1;
  Index number = -1;  ///< The index in Model::communicators before a filter removed others; -1: no filter.
  /// The name that the program set (2.27.3+), such as `default_pg:0`; empty: not printed, or ranks differ.
  std::string name;
  std::string created_by;  ///< The API call: ncclCommInitRankConfig, ncclCommSplit, …
  int nranks = -1, nnodes = -1, channels = -1;
  int nvls_channels = -1, p2p_channels = -1, p2p_channels_per_peer = -1;
  std::vector<ChannelCount> channel_counts;  ///< Sorted; several if ranks differ.
  int mnnvl = -1;                            ///< 1: the nodes are NVLink domains that span hosts.
  Table<Node> nodes;                         ///< Sorted by lowest rank; only nodes that the log shows.
  /// Whether the communicator is known only from its connections or its end, because the input has no line that starts
  /// it.
  bool inferred = false;
  Table<Rank> ranks;                         ///< Sorted by rank; only ranks whose log is in the input.
  std::vector<std::string> transports;       ///< `P2P/CUMEM`, `SHM`, `NET/Socket`, …
  std::vector<Evidence> transport_evidence;  ///< The evidence for each of `transports`.
  ConnectionList connections;                ///< The lines of both ends are merged.
  std::vector<Ring> rings;                   ///< Sorted by channel.
  std::vector<Tree> trees;                   ///< Sorted by channel.
  int nvls_head_count = -1;                  ///< Number of NVLS heads in each node.
  std::vector<NvlsHead> nvls_heads;          ///< Sorted by head.
  std::vector<Tree> nvls_trees;              ///< The two trees that connect the NVLS heads of nodes over the network.
  std::vector<Tree> collnet_chains;          ///< Sorted by channel; each node has a chain whose head uses the network.
  std::vector<ConnectionGroup> collnet;  ///< Connections to switches that reduce in the network (SHARP); `to` is -1.
  /// Sorted by kind and channel; without contradictions that a truncated number may explain.
  std::vector<Contradiction> contradictions;
  int ring_pxn = -1, ring_gdr = -1;  ///< p and g in `Connected all rings, use ring PXN p GDR g`.
  LineRef first;                     ///< The first line that shows the communicator.
};

/// Connection lines that are attributed to no communicator, because they may belong to any of several.
struct Ambiguity {
  std::vector<Index> candidates;  ///< Indices into Model::communicators, sorted.
  Index process = -1;
  std::uint64_t lines = 0;
  LineRef first;
};

}  // namespace nccl_analyze
