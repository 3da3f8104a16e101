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

/// Seconds; see BootstrapTimed and InitTimed.
struct BootstrapSeconds {
  double total = 0, create = 0, send = 0, recv = 0, ring = 0, delay = 0;
  LineRef at;
};
struct InitSeconds {
  double total = 0, kernels = 0, alloc = 0, bootstrap = 0, allgathers = 0, topo = 0, graphs = 0, connections = 0,
         rest = 0;
  LineRef at;
};
/// By the time stamps before its lines, how long a rank took from `Using network …`, before it waits for other ranks in
/// the bootstrap. Both lines were stamped by one clock, so that clocks of hosts need not agree. -1: not known.
struct StampedSeconds {
  double to_start = -1;     ///< Init START: after the bootstrap to 2.22.3, before it since 2.23.4.
  double to_complete = -1;  ///< Init COMPLETE.
  LineRef at;               ///< `Using network …`
};
/// Of an initialisation: its START, and its COMPLETE.
struct RankTimes {
  Moment started, completed;
};

enum class RankState : std::uint8_t { started, complete, failed, aborted, destroyed };
std::string_view to_string(RankState state);

/// How far the initialisation of a rank is known to have come; ordered.
enum class InitPhase : std::uint8_t { bootstrap, allgather, topology, connect, complete };
std::string_view to_string(InitPhase phase);

/// What `Connected …` lines name, in the order in which NCCL makes them.
enum class Algorithm : std::uint8_t { rings, trees, binomial_trees, nvls_tree, collnet_direct, collnet_chain };
inline constexpr std::size_t algorithms = 6;
/// `all trees` as `trees`, `NVLS tree` as `nvls_tree`.
std::string_view to_string(Algorithm algorithm);
inline constexpr std::uint8_t bit_of(Algorithm algorithm) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(algorithm));
}

/// One rank of one communicator whose log is in the input.
struct Rank {
  int rank = -1;
  Index process = -1;
  std::uint64_t comm = 0;  ///< NCCL's pointer: unique in a process at a time.
  int cuda_dev = -1, nvml_dev = -1;
  int local_rank = -1, local_ranks = -1;
  Index node = -1;    ///< Index into Communicator::nodes.
  int channels = -1;  ///< coll channels as this rank printed them
  std::uint64_t bus_id = 0;
  std::uint64_t nics = 0;  ///< Bit i: one of its connections over the network, in or out, uses NIC i.
  RankState state = RankState::started;
  InitPhase phase = InitPhase::bootstrap;
  std::uint8_t connected = 0;  ///< Bit i: Algorithm i was seen connected.
  bool has(Algorithm algorithm) const { return (connected & bit_of(algorithm)) != 0; }
  std::int16_t nvls_head = -1;  ///< Which NVLS head it is; -1: none, or not told.
  bool has_bus_id = false;
  bool start_seen = false;  ///< Its Init START (2.18.3+) is in the log.
  Boxed<BootstrapSeconds> bootstrap_seconds;
  Boxed<InitSeconds> init_seconds;
  Boxed<StampedSeconds> stamped_seconds;
  Boxed<RankTimes> times;        ///< Nothing where neither line has a time.
  Boxed<Calls> calls;            ///< Nothing where no COLL line of it was seen.
  LineRef rings_at, trees_at;    ///< Its first `Ring` line or list of a ring; its `Trees`.
  LineRef started_at, ended_at;  ///< Init START; COMPLETE, abort, failure or destroy
};

/// Order of a ring; starts at rank 0. Incomplete: the part that is known, from its lowest start.
struct Ring {
  int channel = -1;
  SharedList<int> order;
  bool complete = false;
  bool inferred = false;  ///< Put together from connections, not printed as a ring.
};

/// Links of a channel's tree as [parent, child], sorted.
struct Tree {
  int channel = -1;
  SharedList<std::pair<int, int>> links;
  bool complete = false;  ///< The parent of every rank is known. NCCL cuts the line that tells it at 1,023 bytes.
};

/// The ranks that are this head of NVLS, one of each node.
struct NvlsHead {
  int head = -1;
  std::vector<int> ranks;  ///< In NCCL's order of nodes.
};

/// How many coll channels some rank printed.
struct ChannelCount {
  int channels = -1;
  LineRef first;
  friend auto operator<=>(const ChannelCount&, const ChannelCount&) = default;
};

enum class GraphKind : std::uint8_t { ring, tree };
std::string_view to_string(GraphKind kind);

/// What was printed of one channel and cannot all be true: two successors, predecessors or parents of one rank, a child
/// that its parent does not name, a ring that closes before it has passed all ranks.
struct Contradiction {
  GraphKind kind{};
  int channel = -1;
  std::vector<int> ranks;  ///< Those that disagree or are disputed, sorted; at most 16.
};

/// What NCCL calls a node: ranks that reach each other without the network. Rank::node says who is in it.
struct Node {
  int number = -1;        ///< NCCL's own, by lowest rank; -1 unless every node is known.
  int local_ranks = -1;   ///< How many ranks it has, with or without a log here.
  bool inferred = false;  ///< Ranks without a log, or a NCCL that does not print nodes, leave room for another answer.
};

struct Communicator {
  std::uint64_t comm_id = 0;  ///< Same on all ranks; 0 = not printed (children since 2.23.4, lines without START).
  Index parent = -1;          ///< Communicator that was split.
  int split_count = -1;
  std::int64_t color = -1;
  Index number = -1;       ///< Its index in the model that others were taken out of; -1: none was.
  std::string name;        ///< The program's (2.27.3+), `default_pg:0`; empty: none told, or its ranks differ.
  std::string created_by;  ///< ncclCommInitRankConfig, ncclCommSplit, …
  int nranks = -1, nnodes = -1, channels = -1;
  int nvls_channels = -1, p2p_channels = -1, p2p_channels_per_peer = -1;
  std::vector<ChannelCount> channel_counts;  ///< Sorted; several when ranks differ.
  int mnnvl = -1;                            ///< 1: its nodes are NVLink domains that span hosts.
  Table<Node> nodes;                         ///< By lowest rank; only those that can be told.
  bool inferred = false;  ///< No line names it: put together from connections whose communicator is not shown.
  Table<Rank> ranks;      ///< Sorted by rank; only those whose log is here.
  std::vector<std::string> transports;        ///< `P2P/CUMEM`, `SHM`, `NET/Socket`, …
  std::vector<Evidence> transport_evidence;   ///< Parallel to `transports`.
  ConnectionList connections;                 ///< Of both ends, as far as they were printed.
  std::vector<Ring> rings;                    ///< Sorted by channel.
  std::vector<Tree> trees;                    ///< Sorted by channel.
  int nvls_head_count = -1;                   ///< How many heads NVLS has in each node.
  std::vector<NvlsHead> nvls_heads;           ///< Sorted by head.
  std::vector<Tree> nvls_trees;               ///< 0 and 1: the two trees that join the heads of nodes over the network.
  std::vector<Tree> collnet_chains;           ///< By channel, a chain in each node; its head reaches the network.
  std::vector<ConnectionGroup> collnet;       ///< Connections to the network's own reduction (SHARP): `to` is -1.
  std::vector<Contradiction> contradictions;  ///< Sorted by kind, channel. What a cut number may explain is left out.
  int ring_pxn = -1, ring_gdr = -1;           ///< `Connected all rings, use ring PXN p GDR g`
  LineRef first;                              ///< The first line that proves it.
};

/// Connection lines that fit several communicators: kept apart, attributed to none.
struct Ambiguity {
  std::vector<Index> candidates;  ///< Communicators, sorted.
  Index process = -1;
  std::uint64_t lines = 0;
  LineRef first;
};

}  // namespace nccl_analyze
