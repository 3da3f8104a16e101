// Attributes connection lines to communicators. The lines do not name the communicator, and since 2.22 connections are
// set up during the first collective, in separate threads. Each batch is therefore attributed to a communicator of its
// process that it fits.

#include <algorithm>
#include <map>
#include <span>

#include "model/build/merge.h"
#include "model/resolve/fitting.h"
#include "model/resolve/inferred.h"
#include "model/resolve/passes.h"

namespace nccl_analyze::builder {

namespace {

constexpr int max_rounds = 64;  // Limit on the rounds; real jobs need a few.

/// A batch that is not attributed yet. The struct is small, because there is one for nearly every batch of a large job.
struct Waiting {
  std::uint32_t candidates = 0;  ///< Offset of its candidates in Attribution::candidates_.
  std::uint32_t count = 0;       ///< Number of candidates.
  Index batch = -1;              ///< Index in BuilderState::batches.
  int self = -1;
  BatchKind kind = BatchKind::unknown;
  bool done = false;
};

/// Number of ConnectionGroups in the batches for which this communicator is the only candidate: in all of them, and in
/// the ring batches.
struct CertainGroups {
  std::size_t groups = 0, of_rings = 0;
  void add(const Batch& batch) {
    groups += batch.connections.items().size();
    if (batch.kind == BatchKind::rings) of_rings += batch.connections.items().size();
  }
};

class Attribution {
 public:
  explicit Attribution(BuilderState& state) : state_(state), inferred_(state) {}

  void run() {
    for (CommState& comm : state_.comms) {
      comm.ring_edges.fold();
      comm.tree_edges.fold();
    }
    find_candidates();
    for (int round = 0; round < max_rounds && (attribute_only_candidates() || narrow_by_peers() ||
                                               attribute_by_collective() || attribute_equal());
         ++round) {
    }
    for (Waiting& waiting : waiting_)
      if (!waiting.done) leave_open(batch_of(waiting), candidates_of(waiting));
    state_.batches = {};
  }

 private:
  /// Ranks by algorithm and communicator.
  using RanksOf = std::map<std::pair<BatchKind, Index>, FlatSet<int>>;

  void find_candidates() {
    Expectations expectations(state_);
    waiting_.reserve(state_.batches.size());
    for (Index i = 0; i < static_cast<Index>(state_.batches.size()); ++i) {
      const Batch& batch = unpacked(i, batch_);
      const std::vector<Index> candidates = candidates_for(batch, expectations);
      if (candidates.empty()) {
        if (!inferred_.take(batch)) leave_open(batch, {});
        continue;
      }
      waiting_.push_back({.candidates = static_cast<std::uint32_t>(candidates_.size()),
                          .count = static_cast<std::uint32_t>(candidates.size()),
                          .batch = i,
                          .self = batch.self,
                          .kind = batch.kind,
                          .done = false});
      candidates_.insert(candidates_.end(), candidates.begin(), candidates.end());
      if (candidates.size() == 1)
        coming_[candidates.front()].add(batch);
      else
        for (const Index comm : candidates) disputed_.insert(comm);
    }
    reserve_room();
  }

  std::vector<Index> candidates_for(const Batch& batch, Expectations& expectations) const {
    std::vector<Index> candidates;
    for (const Lifetime& life : state_.processes[batch.process].lifetimes.all())
      if (fits(state_, batch, life, expectations)) candidates.push_back(life.ref.comm);
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    return candidates;
  }

  /// Reserves memory for connections, because they take most of a communicator's memory, and growth by doubling could
  /// waste the same amount again.
  void reserve_room() {
    for (const auto& [number, coming] : coming_) {
      CommState& comm = state_.comm(number);
      comm.connections.reserve(coming.groups);
      comm.connected_ring_edges.reserve(coming.of_rings);
    }
    coming_.clear();
  }

  Batch& unpacked(Index batch, Batch& into) const {
    state_.batches.unpack(batch, into);
    return into;
  }
  /// The result is valid until the next call.
  Batch& batch_of(const Waiting& waiting) { return unpacked(waiting.batch, batch_); }

  std::span<const Index> candidates_of(const Waiting& waiting) const {
    return std::span(candidates_).subspan(waiting.candidates, waiting.count);
  }
  /// Removes the candidates for which `may` is false. If it is false for all, removes none, because the batch belongs
  /// to one of them. Returns whether any was removed.
  template <class May>
  bool narrow(Waiting& waiting, May may) {
    const auto from = candidates_.begin() + static_cast<std::ptrdiff_t>(waiting.candidates);
    const auto to = from + waiting.count;
    if (std::none_of(from, to, may) || std::all_of(from, to, may)) return false;
    waiting.count = static_cast<std::uint32_t>(std::stable_partition(from, to, may) - from);
    return true;
  }

  /// Whether the rank has already connected the algorithm of the batch. A communicator connects each algorithm once.
  bool connected(Index comm, const Waiting& waiting) const {
    const auto found = attributed_ranks_.find({waiting.kind, comm});
    return waiting.kind != BatchKind::unknown && found != attributed_ranks_.end() &&
           found->second.contains(waiting.self);
  }

  void attribute(Waiting& waiting, Index comm) {
    const Batch& batch = batch_of(waiting);
    if (disputed_.contains(comm)) {
      attributed_ranks_[{waiting.kind, comm}].insert(waiting.self);
      std::uint64_t& line = attributed_lines_[{waiting.kind, comm}][batch.last.source];
      line = line == 0 ? batch.last.line : std::min(line, batch.last.line);
    }
    merge_batch(state_, comm, batch);
    waiting.done = true;
  }

  /// Removes candidates that have already connected the algorithm, and attributes batches with only one candidate left.
  /// Returns whether any batch was attributed.
  bool attribute_only_candidates() {
    bool changed = false;
    for (Waiting& waiting : waiting_) {
      if (waiting.done) continue;
      if (waiting.count > 1) narrow(waiting, [&](Index comm) { return !connected(comm, waiting); });
      if (waiting.count != 1) continue;
      attribute(waiting, candidates_of(waiting).front());
      changed = true;
    }
    return changed;
  }

  /// Removes candidates that cannot have connected the algorithm of a batch. A candidate cannot have done so if the log
  /// of one of its other ranks continues after the batch without such a connection, because a collective connects all
  /// ranks of its communicator. Returns whether any candidate was removed.
  bool narrow_by_peers() {
    RanksOf possible;
    for (const Waiting& waiting : waiting_)
      if (!waiting.done)
        for (const Index comm : candidates_of(waiting)) possible[{waiting.kind, comm}].insert(waiting.self);
    std::map<std::pair<BatchKind, Index>, IdleRanks> idle;
    bool changed = false;
    for (Waiting& waiting : waiting_) {
      if (waiting.done || waiting.kind == BatchKind::unknown) continue;
      const LineRef last = batch_of(waiting).last;
      changed = narrow(waiting,
                       [&](Index comm) {
                         const std::pair key{waiting.kind, comm};
                         const auto [found, made] = idle.try_emplace(key);
                         if (made) found->second = idle_ranks(comm, attributed_ranks_[key], possible[key]);
                         return !found->second.after(last);
                       }) ||
                changed;
    }
    return changed;
  }

  /// Attributes a batch to a communicator if its rank must have connected the algorithm there and has no other batch
  /// left for it. A collective connects all ranks of its communicator: once one rank has connected an algorithm, any
  /// rank whose log continues after that line must have connected it too. Returns whether any batch was attributed.
  bool attribute_by_collective() {
    std::map<std::tuple<BatchKind, Index, int>, std::vector<Waiting*>> left;  // by algorithm, communicator, rank
    for (Waiting& waiting : waiting_)
      if (!waiting.done && waiting.kind != BatchKind::unknown)
        for (const Index comm : candidates_of(waiting)) left[{waiting.kind, comm, waiting.self}].push_back(&waiting);
    bool changed = false;
    for (const auto& [key, batches] : left) {
      const auto& [kind, comm, self] = key;
      const auto first = attributed_lines_.find({kind, comm});
      if (batches.size() != 1 || batches.front()->done || first == attributed_lines_.end()) continue;
      if (connected(comm, *batches.front())) continue;
      const LineRef own = state_.model.processes[batch_of(*batches.front()).process].last;
      const auto line = first->second.find(own.source);
      if (line == first->second.end() || own.line <= line->second) continue;
      attribute(*batches.front(), comm);
      changed = true;
    }
    return changed;
  }

  /// The ranks of a communicator that did not connect an algorithm, and how far their logs reach.
  struct IdleRanks {
    bool ended = false;                      ///< One of these ranks destroyed the communicator, so its log is complete.
    std::map<SourceId, std::uint64_t> last;  ///< Last line of their processes, by source.
    /// Whether one of these logs is complete, or continues after `line` in the same source.
    bool after(LineRef line) const {
      const auto found = last.find(line.source);
      return ended || (found != last.end() && found->second > line.line);
    }
  };

  IdleRanks idle_ranks(Index comm, const FlatSet<int>& attributed, const FlatSet<int>& possible) const {
    IdleRanks idle;
    for (const Rank& rank : state_.comm(comm).comm.ranks) {
      if (attributed.contains(rank.rank) || possible.contains(rank.rank)) continue;
      const LineRef last = state_.model.processes[rank.process].last;
      idle.ended = idle.ended || rank.state == RankState::destroyed;
      std::uint64_t& line = idle.last[last.source];
      line = std::max(line, last.line);
    }
    return idle;
  }

  /// Attributes one batch to each candidate if a rank has as many equal batches as candidates. Which batch goes to
  /// which candidate does not matter, because the batches are equal. Returns whether any batch was attributed.
  bool attribute_equal() {
    using Key = std::tuple<Index, int, BatchKind, std::vector<Index>>;
    std::map<Key, std::vector<Waiting*>> groups;
    for (Waiting& waiting : waiting_) {
      if (waiting.done) continue;
      const std::span<const Index> candidates = candidates_of(waiting);
      groups[{batch_of(waiting).process, waiting.self, waiting.kind, {candidates.begin(), candidates.end()}}].push_back(
          &waiting);
    }
    bool changed = false;
    for (auto& entry : groups) {
      const std::vector<Index>& candidates = std::get<3>(entry.first);
      std::vector<Waiting*>& group = entry.second;
      if (group.size() != candidates.size()) continue;
      Batch first;
      unpacked(group.front()->batch, first);
      const bool equal =
          std::all_of(group.begin(), group.end(), [&](const Waiting* other) { return same(first, batch_of(*other)); });
      if (!equal) continue;
      for (std::size_t i = 0; i < group.size(); ++i) attribute(*group[i], candidates[i]);
      changed = true;
    }
    return changed;
  }

  static bool same(const Batch& a, const Batch& b) {
    const auto& x = a.connections.items();
    const auto& y = b.connections.items();
    return x.size() == y.size() &&
           std::equal(x.begin(), x.end(), y.begin(), [](const ConnectionGroup& p, const ConnectionGroup& q) {
             return p.key() == q.key() && p.channels == q.channels;
           });
  }

  void leave_open(const Batch& batch, std::span<const Index> candidates) {
    state_.model.ambiguities.push_back({.candidates = {candidates.begin(), candidates.end()},
                                        .process = batch.process,
                                        .lines = batch.lines,
                                        .first = batch.first});
  }

  BuilderState& state_;
  std::vector<Waiting> waiting_;
  std::vector<Index> candidates_;          ///< Candidates of all batches, concatenated.
  std::map<Index, CertainGroups> coming_;  ///< Keyed by communicator.
  Batch batch_;                            ///< The last unpacked batch.
  FlatSet<Index> disputed_;                ///< Communicators that share a batch with others as its candidates.
  RanksOf attributed_ranks_;               ///< Of these communicators, as the next table.
  /// By algorithm and communicator: for each source, the line at which the first rank had connected the algorithm.
  std::map<std::pair<BatchKind, Index>, std::map<SourceId, std::uint64_t>> attributed_lines_;
  InferredCommunicators inferred_;
};

}  // namespace

void attribute_batches(BuilderState& state) { Attribution{state}.run(); }

}  // namespace nccl_analyze::builder
