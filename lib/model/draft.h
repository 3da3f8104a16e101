#pragma once
// The model while it is being built: like the public one, with what is needed to attribute lines and join ranks.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/topology_reader.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze::draft {

/// A rank of a communicator by indices; comm -1 = none.
struct RankRef {
  Index comm = -1;
  Index slot = -1;
  friend bool operator==(const RankRef&, const RankRef&) = default;
};

/// A vector that folds equal items whenever it has doubled, so that repeats cost no memory.
template <class T, class Merge>
class Folded {
 public:
  void add(const T& item) {
    items_.push_back(item);
    if (items_.size() >= next_) fold();
  }
  void fold() {
    std::sort(items_.begin(), items_.end(), Merge::less);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (kept > 0 && !Merge::less(items_[kept - 1], items_[i])) {
        Merge::join(items_[kept - 1], items_[i]);
      } else {
        items_[kept++] = items_[i];
      }
    }
    items_.resize(kept);
    next_ = std::max<std::size_t>(1024, kept * 2);
  }
  std::vector<T>& items() { return items_; }
  const std::vector<T>& items() const { return items_; }

 private:
  std::vector<T> items_;
  std::size_t next_ = 1024;
};

/// from → to on a channel: a ring edge, or parent → child of a tree.
struct Edge {
  int channel = -1, from = -1, to = -1;
  friend bool operator==(const Edge&, const Edge&) = default;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};
struct MergeEdges {
  static bool less(const Edge& a, const Edge& b) { return a < b; }
  static void join(Edge&, const Edge&) {}
};
using Edges = Folded<Edge, MergeEdges>;

struct MergeConnections {
  static auto key(const Connection& c) { return std::tuple{c.channel, c.connection, c.from, c.to, c.transport}; }
  static bool less(const Connection& a, const Connection& b) { return key(a) < key(b); }
  static void join(Connection& into, const Connection& other) {
    // the sender's NIC and proxy count: the receiver prints its own
    if (into.device < 0 || (other.seen_send && !into.seen_send && other.device >= 0)) into.device = other.device;
    if (into.proxy_rank < 0) into.proxy_rank = other.proxy_rank;
    into.gdrdma_send |= other.gdrdma_send;
    into.gdrdma_receive |= other.gdrdma_receive;
    into.shared |= other.shared;
    into.read |= other.read;
    into.seen_send |= other.seen_send;
    into.seen_receive |= other.seen_receive;
  }
};
using Connections = Folded<Connection, MergeConnections>;

/// What the connection lines of one thread set up, closed by a `Connected …` line when there is one.
enum class BatchKind : std::uint8_t { unknown, rings, trees, other };

struct PeerDevice {
  int rank = -1;
  int nvml_dev = -1;
};

/// Connection lines that one thread printed in one go: they belong to one communicator.
struct Batch {
  Index process = -1;
  int self = -1;           ///< Rank of the printing process in that communicator.
  std::uint64_t comm = 0;  ///< The communicator's pointer when the lines name it (RCCL); else 0.
  int nranks = -1;         ///< Its size when the lines name it.
  BatchKind kind = BatchKind::unknown;
  std::uint64_t lines = 0;
  LineRef first, last;
  Connections connections;          ///< `transport` indexes Draft::transports.
  std::vector<PeerDevice> devices;  ///< Devices that the lines give to ranks (2.18.3+), the printing rank included.
  std::vector<std::pair<std::uint16_t, Evidence>> transports;
  int ring_pxn = -1, ring_gdr = -1;
};

struct CommDraft {
  Communicator comm;  ///< ranks in order of appearance, rings and trees still empty
  std::unordered_map<int, Index> slot_of_rank;
  Edges ring_edges;            ///< From rank 0's lists and `Ring` lines.
  Edges connected_ring_edges;  ///< From connections that `Connected all rings` closed.
  Edges tree_edges;            ///< parent → child
  Connections connections;
  std::vector<std::uint16_t> transports;  ///< Of Draft::transports, parallel to comm.transport_evidence.
  int highest_channel = -1;
};

/// A rank's life in its process.
struct Life {
  RankRef ref;
  std::uint64_t started = 0;                ///< Line of Init START.
  std::uint64_t ended = ~std::uint64_t{0};  ///< Line of destroy or abort.
};

struct ThreadDraft {
  RankRef current;                         ///< Rank whose initialisation runs, or ran last, in this thread.
  bool in_init = false;                    ///< Between START and COMPLETE.
  bool mixed = false;                      ///< Lines without a thread's number: several threads may be in this one.
  Index batch = -1;                        ///< Open batch.
  std::unordered_set<std::size_t> closed;  ///< Contents of batches that it closed: a log read twice counts once.
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

struct ProcessDraft {
  Process process;
  Index host = -1;  ///< Index into Draft::hosts once it has told something of its host.
  LineCounts lines;
  std::vector<Life> lives;
  std::unordered_map<std::uint64_t, RankRef> by_pointer;  ///< Live communicators.
  std::unordered_map<std::int64_t, ThreadDraft> threads;
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
  std::vector<HostDraft> hosts;
  std::vector<CommDraft> comms;
  std::vector<Batch> batches;           ///< Waiting for attribution.
  std::vector<std::string> transports;  ///< Interned names.
  std::vector<Ambiguity> ambiguities;
};

/// Gives every waiting batch to its communicator, or to an Ambiguity, or to an inferred communicator.
void attribute_batches(Draft& draft);

/// A hash of what a folded batch connects.
std::size_t content_of(const Batch& batch);

/// Which NICs the printing rank of a batch uses, in either direction.
void note_nics(const Draft& draft, const Batch& batch, CommDraft& into);

/// Merges a batch into a communicator.
void merge_batch(Draft& draft, Index comm, Batch& batch);

/// Rings of a communicator from lists, `Ring` lines and connections; trees from tree edges.
void build_rings(CommDraft& comm);
void build_trees(CommDraft& comm);

/// The finished communicator: ranks, transports and connections sorted, rings and trees built.
Communicator finish(CommDraft& draft, const std::vector<std::string>& transports);

/// Sorts everything in the model and renumbers what refers to it.
void put_in_order(Model& model);

}  // namespace nccl_analyze::draft
