#pragma once
// The model while it is being built: like the public one, with what is needed to attribute lines and join ranks.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "model/build/batch.h"
#include "model/build/lives.h"
#include "model/build/small_map.h"
#include "model/build/topology_reader.h"
#include "model/flat_tables.h"
#include "model/timestamp.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze::draft {

/// from → to on some channels.
struct Edge {
  int from = -1, to = -1;
  std::uint8_t block = 0;
  std::uint64_t channels = 0;  ///< Bit i: channel 64·block + i.
  auto key() const { return std::tuple{from, to, block}; }
  bool has(int channel) const { return block == block_of(channel) && (channels & channel_bit(channel)) != 0; }
};
inline Edge edge_on(int channel, int from, int to) { return {from, to, block_of(channel), channel_bit(channel)}; }
using Edges = Folded<Edge>;

/// parent → child on some channels; from -1: `to` is the root.
struct TreeEdge : Edge {
  std::uint64_t by_parent = 0, by_child = 0;  ///< Like `channels`: those on which the one and the other says so.
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

struct CommDraft {
  Communicator comm;           ///< ranks in order of appearance, rings and trees still empty
  IndexTable slot_of_rank;     ///< Of comm.ranks.
  Edges ring_edges;            ///< From rank 0's lists and `Ring` lines.
  Edges connected_ring_edges;  ///< From connections that `Connected all rings` closed.
  TreeEdges tree_edges;
  Edges nvls_edges;   ///< parent → child; channels 0 and 1 are the two trees.
  Edges chain_edges;  ///< up → rank of CollNet chains; up is the number of ranks where the network is.
  Connections collnet;
  Edges closing_edges;  ///< From the last to the first rank of rank 0's longest lists, while nranks is unknown.
  int listed = 0;       ///< How many ranks those lists have.
  int lists = -1;       ///< How many lists rank 0 prints.
  Connections connections;
  std::vector<std::uint16_t> transports;  ///< Of Draft::transports, parallel to comm.transport_evidence.
  int highest_channel = -1;
  bool named = true;          ///< A line says who is in it; else it is what a thread built before such a line came.
  bool names_differ = false;  ///< Its ranks told different names of the program's.
  bool alone = false;         ///< No id and no parent: nothing printed joins its rank to those of other processes.
  std::vector<PeerDevice> devices;  ///< While it is one rank's: what its connection lines tell of the others.
  std::uint64_t opened = 0;         ///< While it is one rank's: lines between which it was initialised.
  std::uint64_t completed = 0;
  Index into = -1;  ///< The communicator that took it over: it is no more.

  /// Of comm.ranks; -1 when no rank has the number.
  Index slot_of(int rank) const {
    const Index* const found = slot_of_rank.find(spread(static_cast<std::uint64_t>(rank)),
                                                 [&](Index slot) { return rank_at(slot).rank == rank; });
    return found == nullptr ? -1 : *found;
  }
  /// Where a rank of comm.ranks is; the first one that has a number keeps it.
  void note_slot(Index slot) {
    const auto hash_of = [&](Index of) { return spread(static_cast<std::uint64_t>(rank_at(of).rank)); };
    if (slot_of(rank_at(slot).rank) < 0) slot_of_rank.add(slot, hash_of(slot), hash_of);
  }
  const Rank& rank_at(Index slot) const { return comm.ranks[static_cast<std::size_t>(slot)]; }
};

/// What a pointer stands for in its process now.
struct LiveRank {
  RankRef ref;
  Index life = -1;  ///< In ProcessDraft::lives.
};

struct ThreadDraft {
  RankRef current;               ///< Rank whose initialisation runs, or ran last, in this thread.
  std::uint64_t idle_since = 0;  ///< First line after the last COMPLETE; 0 = none yet.
  Stamps entered;                ///< Of its last `Using network …` since then; a copy for each kind of stamp.
  LineRef entered_at;
  double to_start = -1;      ///< Seconds from there to Init START.
  Boxed<Batch> batch;        ///< Open batch.
  std::uint32_t number = 0;  ///< Its place among the threads of all processes.
  Index life = -1;           ///< Of `current`, while nothing names its communicator.
  bool in_init = false;      ///< Between START, or the first sign of it, and COMPLETE.
  bool mixed = false;        ///< Lines without a thread's number: several threads may be in this one.
};

/// How many records there were.
struct LineCounts {
  std::uint64_t nccl_lines = 0, unrecognized = 0;
  LineCounts& operator+=(const LineCounts& other) {
    nccl_lines += other.nccl_lines;
    unrecognized += other.unrecognized;
    return *this;
  }
};

/// What is needed of a process while it is read.
struct ProcessDraft {
  Index host = -1;  ///< Index into Draft::hosts once it has told something of its host.
  LineCounts lines;
  Lives lives;
  SmallMap<std::uint64_t, LiveRank> by_pointer;   ///< Live communicators.
  SmallMap<std::int64_t, std::uint32_t> threads;  ///< By number of the system: ThreadDraft::number.
  bool parted = false;                            ///< Tells calls of a communicator that it does not know.
  std::uint16_t dated = 0;                        ///< Bit by dating_kind(): its wording has narrowed the releases.
  Index older = -1;                               ///< The process of the same source and pid that was seen before it.
  Index twin = -1;  ///< Process of the same host, pid and pod in another source: perhaps the same, its log cut in two.
};

/// A host and the one dump of its topology that is being read: every rank prints the same.
struct HostDraft {
  Host host;
  TopologyReader reader;
  Index process = -1;  ///< Whose dump is read; -1 = none.
  std::int64_t tid = -1;
};

struct Draft {
  std::vector<ProcessDraft> processes;
  std::vector<Process> facts;  ///< Of `processes`, one for one: they become the model's without a copy.
  std::vector<HostDraft> hosts;
  std::deque<CommDraft> comms;
  PackedBatches batches;                        ///< Waiting for attribution.
  std::vector<std::string> transports;          ///< Interned names.
  DeviceNaming naming = DeviceNaming::unknown;  ///< Of processes that print no version: that of all others.
  DeviceNaming naming_in(Index process) const {
    const Process& known = facts[static_cast<std::size_t>(process)];
    const DeviceNaming own = naming_of(known.library, known.version);
    return own == DeviceNaming::unknown ? naming : own;
  }
  std::vector<Ambiguity> ambiguities;
};

/// Joins what belongs to one communicator though no start was there to say so when it was read.
void join_communicators(Draft& draft);

/// The communicator that has taken this one over, or itself.
Index owner_of(const Draft& draft, Index comm);

/// Ends a communicator that another has taken over. The number of its first rank stays, for incidents that name the
/// communicator alone.
void hand_over(CommDraft& from, Index into);

/// What one draft knows of its graph goes over to another.
void merge_graph(CommDraft& into, CommDraft& from);

/// Gives every waiting batch to its communicator, or to an Ambiguity, or to an inferred communicator.
void attribute_batches(Draft& draft);

/// A hash of what a folded batch connects.
std::size_t content_of(const Batch& batch);

/// A transport that a communicator uses, and where that stands.
void note_transport(CommDraft& comm, std::uint16_t transport, const Evidence& evidence);

/// Which NICs the printing rank of a batch uses, in either direction.
void note_nics(const Draft& draft, const Batch& batch, CommDraft& into);

/// CollNet's chains of one rank.
void add_chains(CommDraft& comm, const std::vector<ChainLink>& chains);

/// Merges a batch into a communicator.
void merge_batch(Draft& draft, Index comm, const Batch& batch);

/// Rings of a communicator from lists, `Ring` lines and connections; trees from tree edges.
void build_rings(CommDraft& comm);
void build_trees(CommDraft& comm);

/// Keeps the longest list of a head: another may be cut.
void note_head(Communicator& comm, int head, std::vector<int> ranks);
/// A rank printed so many coll channels.
void note_channels(Communicator& comm, const ChannelCount& count);

/// What printed rings and trees say that cannot all be true; comes last, for it sorts the edges anew.
void find_contradictions(CommDraft& comm);

/// The finished communicator: ranks, transports and connections sorted, rings and trees built.
Communicator finish(CommDraft& draft, const std::vector<std::string>& transports);

/// Sorts everything in the model and renumbers what refers to it.
void put_in_order(Model& model);

/// Fills in what the words of each incident mean and what became of it; the model is in order.
void resolve_incidents(Model& model);

}  // namespace nccl_analyze::draft
