// Builds rings and trees from the printed edges and the connections.

#include <algorithm>
#include <span>

#include "model/resolve/graphs.h"

namespace nccl_analyze::builder {

namespace {

/// Gives numbers without gaps, from 0 on, to the ranks that occur in edges, so that time and memory depend on the
/// number of edges, not on the highest rank in a line.
class Places {
 public:
  explicit Places(const CommState& comm) {
    for (const Edges* edges : {&comm.ring_edges, &comm.connected_ring_edges})
      for (const Edge& edge : edges->items()) ranks_.insert(ranks_.end(), {edge.from, edge.to});
    for (const ConnectionGroup& group : comm.comm.connections.groups())
      ranks_.insert(ranks_.end(), {group.from, group.to});
    std::sort(ranks_.begin(), ranks_.end());
    ranks_.erase(std::unique(ranks_.begin(), ranks_.end()), ranks_.end());
  }
  std::size_t count() const { return ranks_.size(); }
  int rank(int place) const { return ranks_[place]; }
  int of(int rank) const {
    const auto index = static_cast<std::size_t>(rank);
    if (index < ranks_.size() && ranks_[index] == rank) return rank;
    return static_cast<int>(std::lower_bound(ranks_.begin(), ranks_.end(), rank) - ranks_.begin());
  }

 private:
  Table<int> ranks_;  ///< Sorted.
};

/// Edges (from, to) of one channel, sorted; the ranks as Places numbers them.
using Steps = std::vector<std::pair<int, int>>;

Steps steps_of(const std::vector<Edge>& edges, int channel, const Places& places) {
  Steps steps;
  for (const Edge& edge : edges)
    if (edge.has(channel)) steps.emplace_back(places.of(edge.from), places.of(edge.to));
  return steps;
}

Steps steps_of(const ConnectionList& connections, int channel, const Places& places) {
  Steps steps;
  for (const ConnectionGroup& group : connections.groups()) {
    if (group.connection != 0 || !Edge{0, 0, group.block, group.channels}.has(channel)) continue;
    const std::pair step{places.of(group.from), places.of(group.to)};
    if (steps.empty() || steps.back() != step) steps.push_back(step);
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

/// Builds the ring of one channel from its steps.
class RingBuilder {
 public:
  explicit RingBuilder(std::size_t places) : next_(places, -1), prev_(places, -1) {}

  bool empty() const { return links_ == 0; }

  /// Adds steps, except those of ranks with several successors: a rank has one successor in a ring, and it is unknown
  /// which one is right.
  void add(const Steps& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto [from, to] = steps[i];
      const bool twice = (i > 0 && steps[i - 1].first == from) || (i + 1 < steps.size() && steps[i + 1].first == from);
      if (!twice) link(from, to);
    }
  }

  /// Adds a step for every rank that has exactly one free successor. NCCL does not print a ring connection again if the
  /// pair was already connected for a tree, therefore `steps` may be connections of any algorithm.
  void add_only_choices(const Steps& steps) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < steps.size();) {
        const int from = steps[i].first;
        int choice = -1, choices = 0;
        for (; i < steps.size() && steps[i].first == from; ++i) {
          if (prev_[steps[i].second] >= 0) continue;
          choice = steps[i].second;
          ++choices;
        }
        changed = (choices == 1 && link(from, choice)) || changed;
      }
    }
  }

  /// Follows the ring from rank 0. If rank 0 has no successor, starts at the lowest rank that has a successor but no
  /// predecessor, or else at the lowest rank with a successor.
  Ring walk(int channel, int nranks, const Places& places) const {
    Ring ring{.channel = channel, .order = {}, .complete = false, .inferred = false};
    const int start = first(places);
    if (start < 0) return ring;
    std::vector<int> order;
    int place = start;
    do {
      order.push_back(places.rank(place));
      place = next_[place];
    } while (place >= 0 && place != start);
    order.shrink_to_fit();
    ring.order = std::move(order);
    ring.complete = place == start && nranks > 0 && ring.order.size() == static_cast<std::size_t>(nranks);
    return ring;
  }

 private:
  /// Links two places; returns false if `from` has a successor or `to` a predecessor. Every place thus has at most one
  /// of each, so that a walk either ends or returns to its start.
  bool link(int from, int to) {
    if (next_[from] >= 0 || prev_[to] >= 0) return false;
    next_[from] = to;
    prev_[to] = from;
    ++links_;
    return true;
  }

  int first(const Places& places) const {
    if (!next_.empty() && places.rank(0) == 0 && next_[0] >= 0) return 0;
    int lowest = -1;
    for (std::size_t i = 0; i < next_.size(); ++i) {
      if (next_[i] < 0) continue;
      if (prev_[i] < 0) return static_cast<int>(i);
      if (lowest < 0) lowest = static_cast<int>(i);
    }
    return lowest;
  }

  Table<int> next_, prev_;
  std::size_t links_ = 0;
};

/// Makes equal lists of different channels share their storage.
template <class T, class Item>
void share(SharedList<T>& list, const std::vector<Item>& before, SharedList<T> Item::*member) {
  const auto same = std::find_if(before.begin(), before.end(), [&](const Item& one) { return one.*member == list; });
  if (same != before.end()) list = (*same).*member;
}

/// Compares channels by their edges, of which many have the same channels: NCCL builds a few rings and uses each more
/// than once.
class ChannelSets {
 public:
  explicit ChannelSets(const CommState& comm) {
    for (const Edges* edges : {&comm.ring_edges, &comm.connected_ring_edges})
      for (const Edge& edge : edges->items()) add({edge.block, edge.channels});
    for (const ConnectionGroup& group : comm.comm.connections.groups())
      if (group.connection == 0) add({group.block, group.channels});
    std::ranges::sort(sets_);
    sets_.erase(std::unique(sets_.begin(), sets_.end()), sets_.end());
  }

  /// Whether two channels have the same edges.
  bool are_alike(int a, int b) const {
    return std::ranges::all_of(sets_, [a, b](const Set& set) { return has(set, a) == has(set, b); });
  }

 private:
  using Set = std::pair<std::uint8_t, std::uint64_t>;  ///< Edge::block and Edge::channels.
  static bool has(const Set& set, int channel) {
    return set.first == block_of(channel) && (set.second & channel_bit(channel)) != 0;
  }
  void add(const Set& set) {
    constexpr std::size_t few = 8;
    const auto begin = sets_.begin() + static_cast<std::ptrdiff_t>(sets_.size() - std::min(sets_.size(), few));
    if (std::find(begin, sets_.end(), set) == sets_.end()) sets_.push_back(set);
  }

  std::vector<Set> sets_;
};

/// Returns the number of ranks that have edges, if there are at least two and the printed ring of every channel visits
/// all of them; else -1.
int ranks_of_closed_rings(const CommState& comm, const Places& places) {
  const int count = static_cast<int>(places.count());
  if (count < 2 || comm.highest_channel < 0) return -1;
  for (int channel = 0; channel <= comm.highest_channel; ++channel) {
    RingBuilder chain(places.count());
    chain.add(steps_of(comm.ring_edges.items(), channel, places));
    chain.add(steps_of(comm.connected_ring_edges.items(), channel, places));
    if (!chain.walk(channel, count, places).complete) return -1;
  }
  return count;
}

}  // namespace

void build_rings(CommState& comm) {
  if (comm.listed == comm.comm.nranks)
    for (const Edge& edge : comm.closing_edges.items()) comm.ring_edges.add(edge);
  comm.ring_edges.fold();
  comm.connected_ring_edges.fold();
  const Places places(comm);
  if (comm.comm.nranks < 0) comm.comm.nranks = ranks_of_closed_rings(comm, places);
  const int nranks = comm.comm.nranks;
  std::vector<Ring>& rings = comm.comm.rings;
  const ChannelSets sets(comm);
  for (int channel = 0; channel <= comm.highest_channel; ++channel) {
    const auto twin =
        std::ranges::find_if(rings, [&](const Ring& one) { return sets.are_alike(one.channel, channel); });
    if (twin != rings.end()) {
      Ring ring = *twin;
      ring.channel = channel;
      rings.push_back(std::move(ring));
      continue;
    }
    RingBuilder chain(places.count());
    chain.add(steps_of(comm.ring_edges.items(), channel, places));
    Ring ring = chain.walk(channel, nranks, places);
    if (!ring.complete) {
      chain.add(steps_of(comm.connected_ring_edges.items(), channel, places));
      if (!chain.empty()) chain.add_only_choices(steps_of(comm.comm.connections, channel, places));
      Ring longer = chain.walk(channel, nranks, places);
      longer.inferred = longer.order != ring.order;
      ring = std::move(longer);
    }
    if (ring.order.size() > 1 || ring.complete) {
      share(ring.order, rings, &Ring::order);
      rings.push_back(std::move(ring));
    }
  }
}

namespace {

/// Builds the trees of all channels. `members`: the number of ranks in a complete tree; -1 = unknown.
template <class E>
void build_trees(Folded<E>& edges, int highest_channel, int members, std::vector<Tree>& trees) {
  edges.fold();
  std::vector<std::pair<int, int>> links;
  for (int channel = 0; channel <= highest_channel; ++channel) {
    Tree tree{.channel = channel, .links = {}, .complete = false};
    int known = 0;
    links.clear();
    for (const Edge& edge : edges.items()) {
      if (!edge.has(channel)) continue;
      ++known;
      if (edge.from >= 0) links.emplace_back(edge.from, edge.to);
    }
    tree.links = std::vector(links);  // a copy has no spare capacity
    share(tree.links, trees, &Tree::links);
    tree.complete = known == members;
    if (known != 0) trees.push_back(std::move(tree));
  }
}

}  // namespace

void build_trees(CommState& comm) {
  build_trees(comm.tree_edges, comm.highest_channel, comm.comm.nranks, comm.comm.trees);
  build_trees(comm.nvls_edges, 1, comm.comm.nnodes, comm.comm.nvls_trees);
  if (comm.comm.nranks < 0) return;  // `up` equal to nranks stands for the network, so nranks must be known
  for (Edge& edge : comm.chain_edges.items())
    if (edge.from == comm.comm.nranks) edge.from = -1;
  build_trees(comm.chain_edges, comm.highest_channel, comm.comm.nranks, comm.comm.collnet_chains);
}

}  // namespace nccl_analyze::builder
