// Puts rings and trees together from what was printed of them.

#include <unordered_map>
#include <unordered_set>

#include "model/draft.h"

namespace nccl_analyze::draft {

namespace {

using NextOf = std::unordered_map<int, int>;

/// Edges of one channel: they stand together in a folded list.
std::span<const Edge> of_channel(const std::vector<Edge>& edges, int channel) {
  const auto begin =
      std::lower_bound(edges.begin(), edges.end(), channel, [](const Edge& edge, int c) { return edge.channel < c; });
  auto end = begin;
  while (end != edges.end() && end->channel == channel) ++end;
  return {begin, end};
}

/// A rank has one successor: edges that contradict each other are left out, never chosen between.
void add_edges(std::span<const Edge> edges, NextOf& next, std::unordered_set<int>& reached) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const bool twice =
        (i > 0 && edges[i - 1].from == edges[i].from) || (i + 1 < edges.size() && edges[i + 1].from == edges[i].from);
    if (twice || next.contains(edges[i].from) || reached.contains(edges[i].to)) continue;
    next.emplace(edges[i].from, edges[i].to);
    reached.insert(edges[i].to);
  }
}

/// Collective connections that no list names: a rank whose only free successor is one of them continues the ring
/// there (the pair was connected for a tree before, so that the ring did not print it again).
void add_only_choices(const std::vector<Connection>& connections, int channel, NextOf& next,
                      std::unordered_set<int>& reached) {
  const auto begin = std::lower_bound(connections.begin(), connections.end(), channel,
                                      [](const Connection& c, int wanted) { return c.channel < wanted; });
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = begin; at != connections.end() && at->channel == channel && at->connection == 0;) {
      const int from = at->from;
      int choice = -1, choices = 0;
      for (; at != connections.end() && at->channel == channel && at->connection == 0 && at->from == from; ++at) {
        if (reached.contains(at->to) || at->to == choice) continue;
        choice = at->to;
        ++choices;
      }
      if (choices != 1 || next.contains(from)) continue;
      next.emplace(from, choice);
      reached.insert(choice);
      changed = true;
    }
  }
}

/// Walks from rank 0, or from the lowest rank that nothing leads to.
Ring walk(int channel, int nranks, const NextOf& next, const std::unordered_set<int>& reached) {
  Ring ring{.channel = channel, .order = {}, .complete = false, .inferred = false};
  int start = next.contains(0) ? 0 : -1;
  if (start < 0) {
    for (const auto& [from, to] : next)
      if (!reached.contains(from) && (start < 0 || from < start)) start = from;
  }
  if (start < 0 && !next.empty()) {
    start = next.begin()->first;
    for (const auto& [from, to] : next) start = std::min(start, from);
  }
  if (start < 0) return ring;
  std::unordered_set<int> seen;
  int rank = start;
  while (seen.insert(rank).second) {
    ring.order.push_back(rank);
    const auto found = next.find(rank);
    if (found == next.end()) return ring;
    rank = found->second;
  }
  ring.complete = rank == start && nranks > 0 && ring.order.size() == static_cast<std::size_t>(nranks);
  return ring;
}

}  // namespace

void build_rings(CommDraft& comm) {
  comm.ring_edges.fold();
  comm.connected_ring_edges.fold();
  const auto& listed = comm.ring_edges.items();
  const auto& connected = comm.connected_ring_edges.items();
  const int nranks = comm.comm.nranks;
  for (int channel = 0; channel <= comm.highest_channel; ++channel) {
    NextOf next;
    std::unordered_set<int> reached;
    add_edges(of_channel(listed, channel), next, reached);
    Ring ring = walk(channel, nranks, next, reached);
    if (!ring.complete) {
      add_edges(of_channel(connected, channel), next, reached);
      if (!next.empty()) add_only_choices(comm.comm.connections, channel, next, reached);
      Ring longer = walk(channel, nranks, next, reached);
      longer.inferred = longer.order != ring.order;
      ring = std::move(longer);
    }
    if (ring.order.size() > 1 || ring.complete) comm.comm.rings.push_back(std::move(ring));
  }
}

void build_trees(CommDraft& comm) {
  comm.tree_edges.fold();
  for (const Edge& edge : comm.tree_edges.items()) {
    auto& trees = comm.comm.trees;
    if (trees.empty() || trees.back().channel != edge.channel) trees.push_back({.channel = edge.channel, .links = {}});
    if (edge.from >= 0) trees.back().links.emplace_back(edge.from, edge.to);
  }
}

}  // namespace nccl_analyze::draft
