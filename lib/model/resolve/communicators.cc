// Joins the ranks of a communicator that could not be joined while reading. Before 2.16.2 NCCL prints no id that is
// common to all ranks, and a log without its beginning does not contain the id. Such ranks are joined by the peers that
// they print: two ranks are linked if each is the only rank in the log that can be the other's peer.

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include "model/build/merge.h"
#include "model/resolve/passes.h"
#include "model/stable_sort.h"

namespace nccl_analyze::builder {

namespace {

/// Up to 2.22.3, rank 0 lists at most this many ranks and does not mark a truncated list.
constexpr int cut_list = 20;

bool shares_memory(std::string_view transport) {
  return transport == "SHM" || (transport.starts_with("P2P/") && transport != "P2P/MNNVL");
}

/// Whether the ring lists of rank 0 contain all ranks: the lists of all channels, or of at least two, have the greatest
/// length, which is not cut_list. In an excerpt, one list may be truncated, but hardly two lists at the same rank.
/// Lines of NCCL up to 2.4 do not have the number of lists: there, one undamaged list is enough if it is shorter than
/// cut_list.
bool lists_all(CommState& comm) {
  comm.closing_edges.fold();
  const int lists = count_channels(comm.closing_edges.items());
  if (comm.listed <= 0 || comm.listed == cut_list) return false;
  const bool is_only_list = comm.lists < 0 && comm.listed > 1 && comm.listed < cut_list && !comm.list_damaged;
  return lists == comm.lists || lists > 1 || is_only_list;
}

/// Whether `a` and `b` show different neighbours (`other`) of one rank (`end`) on the same channel.
template <class E, class End>
bool edges_contradict(const Folded<E>& a, const Folded<E>& b, End end, End other) {
  for (const Edge& x : a.items())
    for (const Edge& y : b.items())
      if (x.*end == y.*end && x.*other != y.*other && x.block == y.block && (x.channels & y.channels) != 0) return true;
  return false;
}

class CommJoiner {
 public:
  explicit CommJoiner(BuilderState& state) : state_(state) {}

  void run() {
    for (std::size_t i = 0; i < state_.comms.size(); ++i) {
      CommState& comm = state_.comms[i];
      if (!comm.alone || comm.into >= 0) continue;
      if (comm.comm.nranks < 0 && lists_all(comm)) comm.comm.nranks = comm.listed;
      if (comm.comm.comm_id == 0 && comm.comm.ranks.size() == 1 && comm.comm.ranks.front().rank >= 0)
        items_.push_back(static_cast<Index>(i));
    }
    join_named();
    join_alone();
    join_children();
  }

 private:
  /// Gives the communicators without a size the size of the others. Does nothing if a line names one of the
  /// communicators, if the known sizes differ, or if two of them share a rank number or a process. Otherwise all are
  /// parts of one communicator.
  void share_size() {
    int size = -1;
    std::set<int> ranks;
    std::set<Index> processes;
    for (const Index one : items_) {
      const int own = of(one).comm.nranks;
      const Rank& rank = of(one).comm.ranks.front();
      if (!of(one).comm.inferred || is_known_by_end(of(one))) return;
      if (own >= 0 && size >= 0 && own != size) return;
      size = std::max(size, own);
      if (!ranks.insert(rank.rank).second || !processes.insert(rank.process).second) return;
    }
    if (size < 0 || *ranks.rbegin() >= size) return;
    for (const Index one : items_) of(one).comm.nranks = size;
  }

  void join_alone() {
    if (items_.empty()) return;
    share_size();
    std::sort(items_.begin(), items_.end(),
              [&](Index a, Index b) { return std::tie(of(a).comm.first, a) < std::tie(of(b).comm.first, b); });
    group();
    link();
    absorb_sets();
  }

  /// Values that are equal for all ranks of a communicator: nranks, split_count, color.
  using Kind = std::tuple<int, int, std::int64_t>;
  using ItemsByRank = std::map<int, std::vector<std::size_t>>;  ///< Items by rank number.

  CommState& of(Index comm) { return state_.comm(comm); }
  CommState& item(std::size_t i) { return of(items_[i]); }
  const Rank& rank(std::size_t i) { return item(i).comm.ranks.front(); }
  const Process& process(std::size_t i) { return state_.model.processes[rank(i).process]; }

  /// Merges each communicator whose id was printed late into one with the same id and size that has none of its ranks.
  void join_named() {
    std::map<std::pair<std::uint64_t, int>, std::vector<Index>> known;
    bool late = false;
    for (std::size_t i = 0; i < state_.comms.size(); ++i) {
      const CommState& comm = state_.comms[i];
      if (comm.comm.comm_id == 0 || comm.into >= 0) continue;
      late = late || comm.alone;
      known[{comm.comm.comm_id, comm.comm.nranks}].push_back(static_cast<Index>(i));
    }
    if (!late) return;
    for (auto& entry : known) {
      std::vector<Index>& same = entry.second;
      sort_stably(same, [&](Index a, Index b) { return of(a).alone < of(b).alone; });
      for (std::size_t i = 1; i < same.size(); ++i) {
        if (!of(same[i]).alone) continue;
        absorb_into_first(std::span(same).first(i), same[i]);
      }
    }
  }

  /// Joins children with equal split count and color whose parents were joined. If a parent has several such children,
  /// they are matched by order, because all ranks create children in the same order.
  void join_children() {
    std::map<std::tuple<Index, int, std::int64_t, int>, std::vector<Index>> families;
    for (std::size_t i = 0; i < state_.comms.size(); ++i) {
      const Communicator& comm = state_.comms[i].comm;
      if (comm.parent < 0 || comm.comm_id != 0 || state_.comms[i].into >= 0) continue;
      std::vector<Index>& siblings =
          families[{owner_of(state_, comm.parent), comm.split_count, comm.color, comm.nranks}];
      if (!absorb_into_first(siblings, static_cast<Index>(i))) siblings.push_back(static_cast<Index>(i));
    }
  }

  /// Merges `part` into the first of `others` that has no rank in common with it. Returns false if there is none.
  bool absorb_into_first(std::span<const Index> others, Index part) {
    for (const Index other : others) {
      const CommState& whole = of(other);
      if (whole.into >= 0 || std::any_of(of(part).comm.ranks.begin(), of(part).comm.ranks.end(),
                                         [&](const Rank& one) { return whole.slot_of(one.rank) >= 0; }))
        continue;
      absorb(other, part);
      return true;
    }
    return false;
  }

  Kind kind(std::size_t i) {
    const Communicator& comm = item(i).comm;
    return {comm.nranks, comm.split_count, comm.color};
  }

  void group() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      casts_[kind(i)][rank(i).rank].push_back(i);
      turns_.push_back(seen_[{rank(i).process, kind(i), rank(i).rank}]++);
    }
    set_.resize(items_.size());
    std::iota(set_.begin(), set_.end(), std::size_t{0});
  }

  bool devices_contradict(std::size_t a, std::size_t b) {
    return std::any_of(item(a).devices.begin(), item(a).devices.end(), [&](const PeerDevice& peer) {
      return peer.rank == rank(b).rank && peer.contradicts(state_.naming_in(rank(a).process), rank(b));
    });
  }

  /// Whether `a` is connected to `b` by P2P or shared memory, although their hosts differ.
  bool hosts_contradict(std::size_t a, std::size_t b) {
    if (process(a).host == process(b).host) return false;
    return std::any_of(item(a).connections.items().begin(), item(a).connections.items().end(),
                       [&](const ConnectionGroup& group) {
                         return (group.from == rank(b).rank || group.to == rank(b).rank) &&
                                shares_memory(state_.transports[group.transport]);
                       });
  }

  /// Whether one rank completed before the other started, which is impossible for ranks of one communicator, because
  /// all of them exchange data during the initialisation. Compares only processes whose lines overlap in one source,
  /// because a source may consist of several logs.
  bool times_contradict(std::size_t a, std::size_t b) {
    const Process& x = process(a);
    const Process& y = process(b);
    if (x.source != y.source || x.last < y.first || y.last < x.first) return false;
    const auto before = [](const CommState& one, const CommState& other) {
      return one.completed != 0 && other.opened != 0 && one.completed < other.opened;
    };
    return before(item(a), item(b)) || before(item(b), item(a));
  }

  /// Whether the log shows the communicator only by the line that ends it. Such communicators are joined only with each
  /// other, because in all others the states of ranks count as seen.
  static bool is_known_by_end(const CommState& comm) { return comm.named && comm.comm.inferred; }

  bool contradict(std::size_t a, std::size_t b) {
    if (is_known_by_end(item(a)) != is_known_by_end(item(b))) return true;
    if (rank(a).rank == rank(b).rank || times_contradict(a, b)) return true;
    if (rank(a).process == rank(b).process && rank(a).cuda_dev >= 0 && rank(a).cuda_dev == rank(b).cuda_dev)
      return true;
    return devices_contradict(a, b) || devices_contradict(b, a) || hosts_contradict(a, b) || hosts_contradict(b, a) ||
           edges_contradict(item(a).tree_edges, item(b).tree_edges, &Edge::to, &Edge::from) ||
           edges_contradict(item(a).ring_edges, item(b).ring_edges, &Edge::to, &Edge::from) ||
           edges_contradict(item(a).ring_edges, item(b).ring_edges, &Edge::from, &Edge::to);
  }

  std::set<int> peers(std::size_t i) {
    const int self = rank(i).rank;
    std::set<int> found;
    const auto add = [&](int from, int to) {
      if (from == self && to >= 0) found.insert(to);
      if (to == self && from >= 0) found.insert(from);
    };
    for (const Edge& edge : item(i).ring_edges.items()) add(edge.from, edge.to);
    for (const Edge& edge : item(i).tree_edges.items()) add(edge.from, edge.to);
    for (const ConnectionGroup& group : item(i).connections.items()) add(group.from, group.to);
    found.erase(self);
    return found;
  }

  /// Returns the only item that can be rank `peer` of the communicator of item `i`; -1 if there is none, or several.
  std::ptrdiff_t only_peer(std::size_t i, int peer) {
    const ItemsByRank& cast = casts_[kind(i)];
    const auto found = cast.find(peer);
    if (found == cast.end()) return -1;
    // ranks create communicators in the same order: if two ranks have equally many items of a kind, these match by
    // order
    const auto repeats = [&](std::size_t one) { return seen_[{rank(one).process, kind(one), rank(one).rank}]; };
    std::ptrdiff_t only = -1;
    for (const std::size_t other : found->second) {
      if (repeats(other) == repeats(i) && turns_[other] != turns_[i]) continue;
      if (contradict(i, other)) continue;
      if (only >= 0) return -1;
      only = static_cast<std::ptrdiff_t>(other);
    }
    return only;
  }

  void link() {
    for (std::size_t i = 0; i < items_.size(); ++i)
      for (const int peer : peers(i)) {
        const std::ptrdiff_t other = only_peer(i, peer);
        if (other < 0) continue;
        if (only_peer(static_cast<std::size_t>(other), rank(i).rank) == static_cast<std::ptrdiff_t>(i))
          unite(i, static_cast<std::size_t>(other));
      }
    unite_the_rest();
  }

  std::size_t root(std::size_t i) {
    while (set_[i] != i) i = set_[i] = set_[set_[i]];
    return i;
  }
  void unite(std::size_t a, std::size_t b) { set_[std::max(root(a), root(b))] = std::min(root(a), root(b)); }

  /// Joins all items of a kind if no rank number occurs twice, because they then belong to one communicator. Leaves out
  /// items that contradict the first one, and items of unknown size.
  void unite_the_rest() {
    for (const auto& entry : casts_) {
      const ItemsByRank& cast = entry.second;
      if (std::get<0>(entry.first) < 0) continue;
      const bool once = std::all_of(cast.begin(), cast.end(), [](const auto& role) { return role.second.size() == 1; });
      if (!once) continue;
      const std::size_t first = cast.begin()->second.front();
      for (const auto& role : cast)
        if (!contradict_any(first, role.second.front())) unite(first, role.second.front());
    }
  }
  bool contradict_any(std::size_t a, std::size_t b) { return a != b && contradict(a, b); }

  void absorb_sets() {
    std::map<std::size_t, std::vector<std::size_t>> sets;
    for (std::size_t i = 0; i < items_.size(); ++i) sets[root(i)].push_back(i);
    for (const auto& entry : sets) {
      std::set<int> ranks;
      for (const std::size_t i : entry.second) ranks.insert(rank(i).rank);
      if (ranks.size() != entry.second.size()) continue;  // a rank occurs twice: the links are wrong
      for (const std::size_t i : entry.second)
        if (i != entry.first) absorb(items_[entry.first], items_[i]);
    }
  }

  void absorb(Index into, Index from) {
    CommState& whole = of(into);
    CommState& part = of(from);
    merge_graph(whole, part);
    for (const Rank& one : part.comm.ranks) {
      const auto slot = static_cast<Index>(whole.comm.ranks.size());
      whole.comm.ranks.push_back(one);
      whole.note_slot(slot);
      state_.processes[one.process].lifetimes.move(from, {into, slot});
    }
    Communicator& comm = whole.comm;
    comm.first = std::min(comm.first, part.comm.first);
    comm.nnodes = std::max(comm.nnodes, part.comm.nnodes);
    if (comm.created_by.empty()) comm.created_by = part.comm.created_by;
    comm.inferred = comm.inferred && part.comm.inferred;
    empty_merged(part, into);
  }

  BuilderState& state_;
  std::vector<Index> items_;  ///< Communicators with a single rank, sorted by first line.
  std::vector<int> turns_;    ///< For each item, its number among the items with the same process, kind and rank.
  std::map<Kind, ItemsByRank> casts_;  ///< Items by kind and rank.
  std::map<std::tuple<Index, Kind, int>, int> seen_;
  std::vector<std::size_t> set_;  ///< Union-find: for each item another item of its set; a root refers to itself.
};

}  // namespace

void join_communicators(BuilderState& state) { CommJoiner{state}.run(); }

void drop_joined_communicators(BuilderState& state) {
  Table<Index> number(state.comms.size(), -1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < state.comms.size(); ++i)
    if (state.comms[i].into < 0) number[i] = static_cast<Index>(kept++);
  if (kept == state.comms.size()) return;
  const auto move = [&](Index& comm) {
    if (comm >= 0) comm = number[owner_of(state, comm)];
  };
  for (CommState& comm : state.comms) move(comm.comm.parent);
  for (Ambiguity& ambiguity : state.model.ambiguities)
    for (Index& candidate : ambiguity.candidates) move(candidate);
  state.quotes.visit_incidents([&](Incident& incident) {
    if (incident.communicator >= 0 && incident.rank < 0)
      incident.rank = state.comm(incident.communicator).comm.ranks.front().rank;
    move(incident.communicator);
  });
  std::erase_if(state.comms, [](const CommState& comm) { return comm.into >= 0; });
}

}  // namespace nccl_analyze::builder
