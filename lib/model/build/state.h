#pragma once
// The state of the builder: the model built so far, and the data needed to attribute lines and to join ranks.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "model/build/batch.h"
#include "model/build/edges.h"
#include "model/build/lifetimes.h"
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
  Communicator comm;           ///< Ranks are in order of appearance. Rings and trees are not built yet.
  IndexTable slot_of_rank;     ///< Index in comm.ranks, by rank.
  Edges ring_edges;            ///< From the ring lists of rank 0, and from `Ring` lines.
  Edges connected_ring_edges;  ///< From batches that `Connected all rings` ended.
  TreeEdges tree_edges;
  Edges nvls_edges;   ///< parent → child; the two trees have channels 0 and 1.
  Edges chain_edges;  ///< up → rank in CollNet chains; `up` equal to nranks is the network.
  ConnectionGroups collnet;
  Edges closing_edges;  ///< Edges from the last to the first rank of the longest ring lists, while nranks is unknown.
  int listed = 0;       ///< Number of ranks in the longest ring lists of rank 0.
  int lists = -1;       ///< Number of ring lists; -1 = unknown.
  bool list_damaged = false;  ///< Whether the line of a ring list was damaged.
  ConnectionGroups connections;
  std::vector<std::uint16_t> transports;  ///< Indices in BuilderState::transports, parallel to comm.transport_evidence.
  int highest_channel = -1;
  bool named = true;          ///< Whether a line named it; false for a communicator that rank_being_built() created.
  bool names_differ = false;  ///< Whether its ranks printed different names.
  bool alone = false;  ///< Has neither id nor known parent, so that ranks of other processes cannot join it by key.
  std::vector<PeerDevice> devices;  ///< GPUs that its connection lines name, if it is `alone`.
  std::uint64_t opened = 0;         ///< First line of its initialisation, if it is `alone`; 0 = unknown.
  std::uint64_t completed = 0;
  Index into = -1;  ///< The communicator that it was merged into; -1 = none.

  /// Returns the index of a rank in comm.ranks; -1 if no rank has the number.
  Index slot_of(int rank) const {
    const Index* const found =
        slot_of_rank.find(hash_of_rank(rank), [&](Index slot) { return rank_at(slot).rank == rank; });
    return found == nullptr ? -1 : *found;
  }
  /// Adds a rank of comm.ranks to slot_of_rank. If several ranks have the same number, the first one is kept.
  void note_slot(Index slot) {
    const auto hash_of = [&](Index of) { return hash_of_rank(rank_at(of).rank); };
    if (slot_of(rank_at(slot).rank) < 0) slot_of_rank.add(slot, hash_of(slot), hash_of);
  }
  /// Keeps 64 consecutive ranks next to each other, because the ranks of a node come one after the other.
  static std::size_t hash_of_rank(int rank) {
    const auto number = static_cast<std::uint32_t>(rank);
    return spread(number / 64) * 64 + number % 64;
  }
  const Rank& rank_at(Index slot) const { return comm.ranks[slot]; }
};

/// The rank that a communicator pointer refers to at present, within one process.
struct LiveRank {
  RankRef ref;
  Index life = -1;  ///< Index in ProcessState::lifetimes.
};

/// The last `Using network …` line of a thread.
struct Entered {
  Timestamps timestamps;
  LineRef at;
  double to_start = -1;  ///< Seconds from this line to Init START; -1 = unknown.
};

/// State of a thread of a process, used to attribute lines that name no communicator to ranks.
struct ThreadState {
  RankRef current;               ///< The rank whose initialisation runs, or ran last, in this thread.
  std::uint64_t idle_since = 0;  ///< First line of an initialisation since the last COMPLETE; 0 = none yet.
  Boxed<Entered> entered;        ///< Empty before the first such line, after Init COMPLETE, and without timestamps.
  Boxed<Batch> batch;            ///< Open batch.
  std::uint32_t number = 0;      ///< Index in Context::threads.
  Index life = -1;               ///< Index in ProcessState::lifetimes, while the communicator of `current` is unnamed.
  bool in_init = false;          ///< An initialisation runs: its start was seen or inferred, its COMPLETE was not seen.
  bool mixed = false;  ///< Initialisations of several threads share this state, because their lines have no thread id.
};

/// Counts of records: all, and those that no row of the message table matches.
struct LineCounts {
  std::uint64_t nccl_lines = 0, unrecognized = 0;
  LineCounts& operator+=(const LineCounts& other) {
    nccl_lines += other.nccl_lines;
    unrecognized += other.unrecognized;
    return *this;
  }
};

/// State of a process that is needed only while lines are read.
struct ProcessState {
  Index host = -1;        ///< Index into BuilderState::hosts once a line of the process describes its host.
  bool replaced = false;  ///< Whether a restarted process took its place, which gets all further lines.
  LineCounts lines;
  Lifetimes lifetimes;
  SmallMap<std::uint64_t, LiveRank> by_pointer;   ///< Live ranks, by communicator pointer.
  SmallMap<std::int64_t, std::uint32_t> threads;  ///< ThreadState::number, by thread id.
  Boxed<Quote> last_call;      ///< The last collective call of the process; empty if it printed none.
  bool plugin_warned = false;  ///< Whether the network plugin of the process warned while it started.
  /// Whether the process calls collectives on a communicator whose initialisation is not in its log.
  bool has_split_log = false;
  std::uint32_t dated = 0;           ///< Bit set of the dating_kind() values that were used to narrow the releases.
  std::uint32_t dated_warnings = 0;  ///< Number of warnings that were used to narrow the releases.
  Index older = -1;                  ///< The previous process with the same source and pid; -1 = none.
  /// The previous process with this host, pid and pod in another source, which may be the same process with a split
  /// log; -1 = none.
  Index twin = -1;
};

/// A host and the reader of its topology dump. One dump is enough, because every rank prints the same dump.
struct HostState {
  Host host;
  TopologyReader reader;
  Index process = -1;  ///< The process whose dump is being read; -1 = none.
  std::int64_t tid = -1;
};

/// A version line without a prefix. It applies to every process of its source that prints no version itself.
struct BareVersion {
  std::string library, version, toolkit;
  LineRef at;
  bool differ = false;  ///< Whether the source prints different versions. None of them is then applied.
  /// The first and the first different version on lines that NCCL itself printed; empty without one.
  std::string first, second;
  LineRef first_at, second_at;
  LineCounts lines;
};

/// State that the builder fills while lines are read and that the passes of resolve() complete.
struct BuilderState {
  explicit BuilderState(const ModelLimits& limits) : quotes(limits) {}

  /// While lines are read, holds only sources, processes, watchdog and RAS reports, and unnamed calls. resolve() fills
  /// the rest.
  Model model;
  Table<ProcessState> processes;  ///< Parallel to model.processes.
  Table<HostState> hosts;
  std::deque<CommState> comms;          ///< A deque, so that references stay valid when communicators are added.
  PackedBatches batches;                ///< Batches whose communicator is not known yet.
  std::vector<std::string> transports;  ///< Interned names of transports.
  Quotes quotes;
  std::map<SourceId, BareVersion> bare_versions;
  LineCounts stray_lines;                       ///< Lines without a process, and lines of processes beyond the limit.
  DeviceNaming naming = DeviceNaming::unknown;  ///< Naming for processes that print no version.

  CommState& comm(Index index) { return comms[static_cast<std::size_t>(index)]; }
  const CommState& comm(Index index) const { return comms[static_cast<std::size_t>(index)]; }
  DeviceNaming naming_in(Index process) const {
    const Process& known = model.processes[process];
    const DeviceNaming own = naming_of(known.library, known.version);
    return own == DeviceNaming::unknown ? naming : own;
  }
};

}  // namespace nccl_analyze::builder
