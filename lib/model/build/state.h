#pragma once
// The state of the builder: the model as far as it is built, and what attributing lines and joining ranks needs beside
// it.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "model/build/batch.h"
#include "model/build/edges.h"
#include "model/build/lives.h"
#include "model/build/quotes.h"
#include "model/build/small_map.h"
#include "model/build/topology_reader.h"
#include "model/flat_tables.h"
#include "model/timestamp.h"
#include "nccl_analyze/containers.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// A communicator under construction.
struct CommState {
  Communicator comm;           ///< Ranks stand in order of appearance; rings and trees are still empty.
  IndexTable slot_of_rank;     ///< Slots of comm.ranks by rank.
  Edges ring_edges;            ///< From rank 0's lists and `Ring` lines.
  Edges connected_ring_edges;  ///< From connections that `Connected all rings` closed.
  TreeEdges tree_edges;
  Edges nvls_edges;   ///< parent → child; channels 0 and 1 are the two trees.
  Edges chain_edges;  ///< up → rank of CollNet chains; up is the number of ranks where the network is.
  ConnectionGroups collnet;
  Edges closing_edges;  ///< From the last to the first rank of rank 0's longest lists, while nranks is unknown.
  int listed = 0;       ///< How many ranks those lists have.
  int lists = -1;       ///< How many lists rank 0 prints.
  ConnectionGroups connections;
  std::vector<std::uint16_t> transports;  ///< Into BuilderState::transports, parallel to comm.transport_evidence.
  int highest_channel = -1;
  bool named = true;          ///< A line names it; false: it is what a thread built before such a line came.
  bool names_differ = false;  ///< Its ranks printed different names of the program's.
  bool alone = false;  ///< It has neither id nor parent: nothing printed joins its rank to other processes' ranks.
  std::vector<PeerDevice> devices;  ///< The GPUs of other ranks by its connection lines, while it has one rank.
  std::uint64_t opened = 0;         ///< The lines between which it was initialised, while it has one rank.
  std::uint64_t completed = 0;
  Index into = -1;  ///< The communicator that took it over; -1: it stands for itself.

  /// The slot in comm.ranks; -1 when no rank has the number.
  Index slot_of(int rank) const {
    const Index* const found = slot_of_rank.find(spread(static_cast<std::uint64_t>(rank)),
                                                 [&](Index slot) { return rank_at(slot).rank == rank; });
    return found == nullptr ? -1 : *found;
  }
  /// Records where a rank of comm.ranks is; the first one that has a number keeps it.
  void note_slot(Index slot) {
    const auto hash_of = [&](Index of) { return spread(static_cast<std::uint64_t>(rank_at(of).rank)); };
    if (slot_of(rank_at(slot).rank) < 0) slot_of_rank.add(slot, hash_of(slot), hash_of);
  }
  const Rank& rank_at(Index slot) const { return comm.ranks[slot]; }
};

/// What a pointer stands for in its process now.
struct LiveRank {
  RankRef ref;
  Index life = -1;  ///< In ProcessState::lives.
};

struct ThreadState {
  RankRef current;               ///< Rank whose initialisation runs, or ran last, in this thread.
  std::uint64_t idle_since = 0;  ///< First line after the last COMPLETE; 0 = none yet.
  Timestamps entered;            ///< Those of its last `Using network …` since then.
  LineRef entered_at;
  double to_start = -1;      ///< Seconds from there to Init START.
  Boxed<Batch> batch;        ///< Open batch.
  std::uint32_t number = 0;  ///< Its place among the threads of all processes.
  Index life = -1;           ///< The life of `current`, while no line names its communicator.
  bool in_init = false;      ///< Between START, or the first sign of it, and COMPLETE.
  bool mixed = false;        ///< Its lines have no thread number: several threads may share this state.
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

/// What is needed of a process while its lines are read.
struct ProcessState {
  Index host = -1;  ///< Index into BuilderState::hosts once a line of the process describes its host.
  LineCounts lines;
  Lives lives;
  SmallMap<std::uint64_t, LiveRank> by_pointer;   ///< Live communicators.
  SmallMap<std::int64_t, std::uint32_t> threads;  ///< ThreadState::number by number of the system.
  bool parted = false;                            ///< It prints calls of a communicator that its log does not name.
  std::uint16_t dated = 0;                        ///< Bit by dating_kind(): its wording has narrowed the releases.
  Index older = -1;                               ///< The process of the same source and pid that was seen before it.
  Index twin = -1;  ///< Process of the same host, pid and pod in another source: perhaps the same, its log cut in two.
};

/// A host and the one dump of its topology that is being read: every rank prints the same.
struct HostState {
  Host host;
  TopologyReader reader;
  Index process = -1;  ///< Whose dump is read; -1 = none.
  std::int64_t tid = -1;
};

/// A version line without a prefix. It holds for every process of its source that prints no other.
struct BareVersion {
  std::string library, version, toolkit;
  LineRef at;
  bool differ = false;  ///< The source has several: they hold for no process.
  LineCounts lines;
};

struct BuilderState {
  explicit BuilderState(const ModelLimits& limits) : quotes(limits) {}

  /// While lines are read it holds sources, processes, watchdog and RAS reports and unnamed calls; resolve() fills the
  /// rest.
  Model model;
  Table<ProcessState> processes;  ///< Parallel to model.processes.
  Table<HostState> hosts;
  std::deque<CommState> comms;          ///< References stay valid while more are added.
  PackedBatches batches;                ///< ConnectionGroups that wait for attribution.
  std::vector<std::string> transports;  ///< Interned names.
  Quotes quotes;
  std::map<SourceId, BareVersion> bare_versions;
  LineCounts stray_lines;                       ///< Lines of processes beyond the limit and of no process.
  DeviceNaming naming = DeviceNaming::unknown;  ///< For processes that print no version: that of all others.

  CommState& comm(Index index) { return comms[static_cast<std::size_t>(index)]; }
  const CommState& comm(Index index) const { return comms[static_cast<std::size_t>(index)]; }
  DeviceNaming naming_in(Index process) const {
    const Process& known = model.processes[process];
    const DeviceNaming own = naming_of(known.library, known.version);
    return own == DeviceNaming::unknown ? naming : own;
  }
};

}  // namespace nccl_analyze::builder
