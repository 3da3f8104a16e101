// Gives connection lines to their communicator. NCCL prints none on them: since 2.22 connections are set up at the
// first collective, in threads of their own, so that what decides is which communicators of the process they fit.

#include <bit>
#include <map>
#include <span>

#include "model/build/merge.h"
#include "model/resolve/passes.h"

namespace nccl_analyze::builder {

namespace {

const Rank* rank_in(const CommState& comm, int rank) {
  const Index slot = comm.slot_of(rank);
  return slot < 0 ? nullptr : &comm.rank_at(slot);
}

/// The channels of an edge in edges sorted by key; none when it is not there.
std::uint64_t channels_of(const std::vector<Edge>& edges, const Edge& edge) {
  const auto found = std::lower_bound(edges.begin(), edges.end(), edge,
                                      [](const Edge& a, const Edge& b) { return a.key() < b.key(); });
  return found != edges.end() && found->key() == edge.key() ? found->channels : 0;
}

bool contains(const std::vector<Edge>& edges, const std::vector<Edge>& part) {
  return std::all_of(part.begin(), part.end(),
                     [&](const Edge& edge) { return (edge.channels & ~channels_of(edges, edge)) == 0; });
}

/// What a rank must connect for an algorithm, as far as the log told it: from self to each peer.
struct Expected {
  std::vector<Edge> sends;  ///< Sorted.
  bool known = false;       ///< For every channel of the communicator.
};

/// Per rank and communicator, looked up for every batch of it.
class Expectations {
 public:
  explicit Expectations(BuilderState& state) : state_(state) {}

  const Expected& rings(Index comm, int self) { return get(rings_, comm, self, &Expectations::expect_rings); }
  const Expected& trees(Index comm, int self) { return get(trees_, comm, self, &Expectations::expect_trees); }

 private:
  using Key = std::pair<Index, int>;
  using Cache = std::map<Key, Expected>;
  const Expected& get(Cache& cache, Index comm, int self, Expected (Expectations::*make)(const CommState&, int)) {
    const auto found = cache.find({comm, self});
    if (found != cache.end()) return found->second;
    if (cache.size() >= max_cached) cache.clear();  // the batches of a rank stand near each other
    return cache[{comm, self}] = (this->*make)(state_.comm(comm), self);
  }
  static constexpr std::size_t max_cached = 1024;
  static bool covers(const CommState& comm, const std::vector<Edge>& edges) {
    return comm.comm.channels > 0 && count_channels(edges) == comm.comm.channels;
  }
  template <class E>
  static std::vector<Edge> edges_from(const std::vector<E>& edges, int self) {
    const auto first =
        std::lower_bound(edges.begin(), edges.end(), self, [](const Edge& edge, int rank) { return edge.from < rank; });
    const auto last = std::find_if(first, edges.end(), [self](const Edge& edge) { return edge.from != self; });
    return {first, last};
  }
  Expected expect_rings(const CommState& comm, int self) {
    Expected expected{edges_from(comm.ring_edges.items(), self), false};
    expected.known = covers(comm, expected.sends);
    return expected;
  }
  Expected expect_trees(const CommState& comm, int self) {
    Edges sends;
    for (const Edge& edge : edges_from(comm.tree_edges.items(), self)) sends.add(edge);
    std::vector<Edge> parents;
    const std::vector<Edge>& by_child = edges_by_child(comm);
    for (auto at = std::lower_bound(by_child.begin(), by_child.end(), self,
                                    [](const Edge&edge, int rank) { return edge.to < rank; });
         at != by_child.end() && at->to == self; ++at) {
      parents.push_back(*at);  // every rank has its link to the parent, -1 at the root
      if (at->from >= 0) sends.add({self, at->from, at->block, at->channels});
    }
    sends.fold();
    Expected expected{std::move(sends.items()), false};
    expected.known = covers(comm, parents);
    return expected;
  }

  const std::vector<Edge>& edges_by_child(const CommState& comm) {
    auto [found, made] = by_child_.try_emplace(&comm);
    if (made) {
      found->second.assign(comm.tree_edges.items().begin(), comm.tree_edges.items().end());
      std::sort(found->second.begin(), found->second.end(), [](const Edge& a, const Edge& b) {
        return std::tuple{a.to, a.block, a.from} < std::tuple{b.to, b.block, b.from};
      });
    }
    return found->second;
  }

  BuilderState& state_;
  Cache rings_, trees_;
  std::map<const CommState*, std::vector<Edge>> by_child_;
};

std::vector<Edge> sends_of(const Batch& batch) {
  Edges sends;
  for (const ConnectionGroup& c : batch.connections.items())
    if (c.from == batch.self && c.connection == 0) sends.add({c.from, c.to, c.block, c.channels});
  sends.fold();
  return sends.items();
}

int highest_channel(const ConnectionGroup& group) {
  return group.block * block_size + static_cast<int>(std::bit_width(group.channels)) - 1;
}

/// Could these lines be this rank's? Every test is a contradiction that NCCL's own order of work excludes.
bool fits(const BuilderState& state, const Batch& batch, const Life& life, Expectations& expectations) {
  if (life.ref.comm < 0 || life.started > batch.first.line || life.ended < batch.first.line) return false;
  const CommState& comm = state.comm(life.ref.comm);
  if (comm.comm.ranks[life.ref.slot].rank != batch.self) return false;
  for (const ConnectionGroup& c : batch.connections.items()) {
    if (comm.comm.nranks >= 0 && (c.from >= comm.comm.nranks || c.to >= comm.comm.nranks)) return false;
    if (c.connection == 0 && comm.comm.channels > 0 && highest_channel(c) >= comm.comm.channels) return false;
  }
  for (const PeerDevice& peer : batch.devices) {
    const Rank* const rank = rank_in(comm, peer.rank);
    if (rank != nullptr && peer.contradicts(state.naming_in(batch.process), *rank)) return false;
  }
  if (batch.kind != BatchKind::rings && batch.kind != BatchKind::trees) return true;
  const Expected& mine = batch.kind == BatchKind::rings ? expectations.rings(life.ref.comm, batch.self)
                                                        : expectations.trees(life.ref.comm, batch.self);
  const Expected& other = batch.kind == BatchKind::rings ? expectations.trees(life.ref.comm, batch.self)
                                                         : expectations.rings(life.ref.comm, batch.self);
  const std::vector<Edge> sends = sends_of(batch);
  if (!mine.known) return true;
  if (!contains(mine.sends, sends)) return false;
  // all of them, but for those that the other algorithm may have connected before
  if (!other.known) return true;
  return std::all_of(mine.sends.begin(), mine.sends.end(), [&](const Edge& edge) {
    return (edge.channels & ~channels_of(sends, edge) & ~channels_of(other.sends, edge)) == 0;
  });
}

constexpr int max_rounds = 64;            // real jobs settle in a few
constexpr std::size_t max_inferred = 64;  // communicators without a start in one input

/// Small: nearly every batch of a large job is one, with one candidate.
struct Waiting {
  std::size_t candidates = 0;  ///< Where its communicators begin among those of all.
  std::uint32_t count = 0;     ///< How many they are.
  Index batch = -1;            ///< Into BuilderState::batches.
  int self = -1;
  BatchKind kind = BatchKind::unknown;
  bool done = false;
};

class Attribution {
 public:
  explicit Attribution(BuilderState& state) : state_(state) {}

  void run() {
    for (CommState& comm : state_.comms) {
      comm.ring_edges.fold();
      comm.tree_edges.fold();
    }
    find_candidates();
    for (int round = 0;
         round < max_rounds && (settle_single() || settle_by_peers() || settle_by_collective() || settle_equal());
         ++round) {
    }
    for (Waiting& waiting : waiting_)
      if (!waiting.done) leave_open(batch_of(waiting), candidates_of(waiting));
    state_.batches = {};
  }

 private:
  /// Of an algorithm and a communicator.
  using RanksOf = std::map<std::pair<BatchKind, Index>, FlatSet<int>>;

  void find_candidates() {
    Expectations expectations(state_);
    waiting_.reserve(state_.batches.size());
    std::vector<Index> candidates;
    // groups of connections, and those of rings, where it is certain
    std::map<Index, std::pair<std::size_t, std::size_t>> coming;
    for (std::size_t i = 0; i < state_.batches.size(); ++i) {
      Batch& batch = unpacked(i, batch_);
      candidates.clear();
      for (const Life& life : state_.processes[batch.process].lives.all())
        if (fits(state_, batch, life, expectations)) candidates.push_back(life.ref.comm);
      std::sort(candidates.begin(), candidates.end());
      candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
      if (candidates.empty()) {
        orphan(batch);
        continue;
      }
      waiting_.push_back({.candidates = candidates_.size(),
                          .count = static_cast<std::uint32_t>(candidates.size()),
                          .batch = static_cast<Index>(i),
                          .self = batch.self,
                          .kind = batch.kind,
                          .done = false});
      candidates_.insert(candidates_.end(), candidates.begin(), candidates.end());
      if (candidates.size() != 1) continue;
      auto& [groups, of_rings] = coming[candidates.front()];
      groups += batch.connections.items().size();
      if (batch.kind == BatchKind::rings) of_rings += batch.connections.items().size();
    }
    for (const auto& [number, room] : coming) {
      CommState& comm = state_.comm(number);
      comm.connections.reserve(room.first);
      comm.connected_ring_edges.reserve(room.second);
    }
  }

  Batch& unpacked(std::size_t number, Batch& into) const {
    state_.batches.unpack(number, into);
    return into;
  }
  /// Good until the next is asked for.
  Batch& batch_of(const Waiting& waiting) { return unpacked(static_cast<std::size_t>(waiting.batch), batch_); }

  std::span<const Index> candidates_of(const Waiting& waiting) const {
    return std::span(candidates_).subspan(waiting.candidates, waiting.count);
  }
  /// Keeps those that `may` be it, but does not keep none. Whether any went.
  template <class May>
  bool narrow(Waiting& waiting, May may) {
    const auto from = candidates_.begin() + static_cast<std::ptrdiff_t>(waiting.candidates);
    const auto to = from + waiting.count;
    if (std::none_of(from, to, may) || std::all_of(from, to, may)) return false;
    waiting.count = static_cast<std::uint32_t>(std::stable_partition(from, to, may) - from);
    return true;
  }

  /// One algorithm is connected once in a communicator's life.
  bool connected(Index comm, const Waiting& waiting) const {
    const auto found = settled_ranks_.find({waiting.kind, comm});
    return waiting.kind != BatchKind::unknown && found != settled_ranks_.end() && found->second.contains(waiting.self);
  }

  void settle(Waiting& waiting, Index comm) {
    settled_ranks_[{waiting.kind, comm}].insert(waiting.self);
    const Batch& batch = batch_of(waiting);
    std::uint64_t& line = settled_lines_[{waiting.kind, comm}][batch.last.source];
    line = line == 0 ? batch.last.line : std::min(line, batch.last.line);
    merge_batch(state_, comm, batch);
    waiting.done = true;
  }

  /// Drops candidates that have it already; settles what one candidate is left for.
  bool settle_single() {
    bool changed = false;
    for (Waiting& waiting : waiting_) {
      if (waiting.done) continue;
      if (waiting.count > 1) narrow(waiting, [&](Index comm) { return !connected(comm, waiting); });
      if (waiting.count != 1) continue;
      settle(waiting, candidates_of(waiting).front());
      changed = true;
    }
    return changed;
  }

  /// A collective connects every rank of its communicator. A communicator with a rank whose log goes on without
  /// having connected this algorithm has therefore not connected it at all.
  bool settle_by_peers() {
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
                         if (made) found->second = idle_ranks(comm, settled_ranks_[key], possible[key]);
                         return !found->second.after(last);
                       }) ||
                changed;
    }
    return changed;
  }

  /// The other way round: where one rank connected an algorithm, all others did. Of a rank whose log goes on behind
  /// that and that has one batch left for it, this is the one.
  bool settle_by_collective() {
    std::map<std::tuple<BatchKind, Index, int>, std::vector<Waiting*>> left;  // by algorithm, communicator and rank
    for (Waiting& waiting : waiting_)
      if (!waiting.done && waiting.kind != BatchKind::unknown)
        for (const Index comm : candidates_of(waiting)) left[{waiting.kind, comm, waiting.self}].push_back(&waiting);
    bool changed = false;
    for (const auto& [key, batches] : left) {
      const auto& [kind, comm, self] = key;
      const auto settled = settled_lines_.find({kind, comm});
      if (batches.size() != 1 || batches.front()->done || settled == settled_lines_.end()) continue;
      if (connected(comm, *batches.front())) continue;
      const LineRef own = state_.model.processes[batch_of(*batches.front()).process].last;
      const auto line = settled->second.find(own.source);
      if (line == settled->second.end() || own.line <= line->second) continue;
      settle(*batches.front(), comm);
      changed = true;
    }
    return changed;
  }

  /// Ranks of a communicator that cannot have connected: how far their logs go.
  struct IdleRanks {
    bool ended = false;                      ///< One was destroyed: its log is whole.
    std::map<SourceId, std::uint64_t> last;  ///< Last line of such a rank's process.
    bool after(LineRef line) const {
      const auto found = last.find(line.source);
      return ended || (found != last.end() && found->second > line.line);
    }
  };

  IdleRanks idle_ranks(Index comm, const FlatSet<int>& settled, const FlatSet<int>& possible) const {
    IdleRanks idle;
    for (const Rank& rank : state_.comm(comm).comm.ranks) {
      if (settled.contains(rank.rank) || possible.contains(rank.rank)) continue;
      const LineRef last = state_.model.processes[rank.process].last;
      idle.ended = idle.ended || rank.state == RankState::destroyed;
      std::uint64_t& line = idle.last[last.source];
      line = std::max(line, last.line);
    }
    return idle;
  }

  /// As many batches with the same content as communicators they fit: each has one, and which one makes no difference.
  bool settle_equal() {
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
      unpacked(static_cast<std::size_t>(group.front()->batch), first);
      const bool equal =
          std::all_of(group.begin(), group.end(), [&](const Waiting* other) { return same(first, batch_of(*other)); });
      if (!equal) continue;
      for (std::size_t i = 0; i < group.size(); ++i) settle(*group[i], candidates[i]);
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

  /// No communicator of the process fits: its start is not in the log. One communicator is inferred for all processes
  /// of a source whose ranks differ.
  void orphan(Batch& batch) {
    const SourceId source = state_.model.processes[batch.process].source;
    auto& inferred = inferred_[source];
    for (Inferred& one : inferred) {
      const auto rank = one.rank_of_process.find(batch.process);
      const Rank* const known = rank_in(state_.comm(one.comm), batch.self);
      if (rank != one.rank_of_process.end() && rank->second != batch.self) continue;
      if (known != nullptr && known->process != batch.process) continue;
      if (known == nullptr) add_rank(one, batch);
      merge_batch(state_, one.comm, batch);
      return;
    }
    if (inferred.size() >= max_inferred) {
      leave_open(batch, {});
      return;
    }
    Inferred& one = inferred.emplace_back(static_cast<Index>(state_.comms.size()));
    CommState& made = state_.comms.emplace_back();
    made.comm.inferred = true;
    made.comm.nranks = batch.nranks;
    made.comm.first = batch.first;
    add_rank(one, batch);
    merge_batch(state_, one.comm, batch);
  }

  struct Inferred {
    explicit Inferred(Index number) : comm(number) {}
    Index comm;
    std::map<Index, int> rank_of_process;
  };

  void add_rank(Inferred& one, const Batch& batch) {
    one.rank_of_process[batch.process] = batch.self;
    CommState& state = state_.comm(one.comm);
    Rank rank;
    rank.rank = batch.self;
    rank.process = batch.process;
    rank.state = RankState::complete;  // it connects: its initialisation is over or about to be
    rank.phase = InitPhase::connect;
    for (const PeerDevice& peer : batch.devices)
      if (peer.rank == batch.self && state_.naming_in(batch.process) != DeviceNaming::bus_id)
        rank.nvml_dev = peer.nvml_dev;
    state.comm.ranks.push_back(rank);
    state.note_slot(static_cast<Index>(state.comm.ranks.size()) - 1);
  }

  BuilderState& state_;
  std::vector<Waiting> waiting_;
  std::vector<Index> candidates_;  ///< Of all that wait, one behind the other.
  Batch batch_;                    ///< Unpacked.
  RanksOf settled_ranks_;
  /// Where the first rank to connect an algorithm had done so, in each source.
  std::map<std::pair<BatchKind, Index>, std::map<SourceId, std::uint64_t>> settled_lines_;
  std::map<SourceId, std::vector<Inferred>> inferred_;
};

}  // namespace

void attribute_batches(BuilderState& state) { Attribution{state}.run(); }

}  // namespace nccl_analyze::builder
