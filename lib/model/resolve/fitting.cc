#include "model/resolve/fitting.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace nccl_analyze::builder {

namespace {

// Limit on the entries of each cache. It is small because the batches of a rank are close together.
constexpr std::size_t max_cached = 1024;

/// Returns the channels of `edge` in `edges`, which are sorted by key; 0 if the edge is missing.
std::uint64_t channels_of(const std::vector<Edge>& edges, const Edge& edge) {
  const auto found = std::lower_bound(edges.begin(), edges.end(), edge,
                                      [](const Edge& a, const Edge& b) { return a.key() < b.key(); });
  return found != edges.end() && found->key() == edge.key() ? found->channels : 0;
}

bool contains(const std::vector<Edge>& edges, const std::vector<Edge>& part) {
  return std::all_of(part.begin(), part.end(),
                     [&](const Edge& edge) { return (edge.channels & ~channels_of(edges, edge)) == 0; });
}

bool covers(const CommState& comm, const std::vector<Edge>& edges) {
  return comm.comm.channels > 0 && count_channels(edges) == comm.comm.channels;
}

template <class E>
std::vector<Edge> edges_from(const std::vector<E>& edges, int self) {
  const auto first =
      std::lower_bound(edges.begin(), edges.end(), self, [](const Edge& edge, int rank) { return edge.from < rank; });
  const auto last = std::find_if(first, edges.end(), [self](const Edge& edge) { return edge.from != self; });
  return {first, last};
}

std::vector<Edge> sends_of(const Batch& batch) {
  Edges sends;
  for (const ConnectionGroup& c : batch.connections.items())
    if (c.from == batch.self && c.connection == 0) sends.add({c.from, c.to, c.block, c.channels});
  sends.fold();
  return sends.items();
}

/// Whether the batch agrees with the expected connections, as far as these are known: `mine` are those of the batch's
/// algorithm, `other` those of the other algorithm (rings or trees).
bool fits_expected(const Batch& batch, const Expected& mine, const Expected& other) {
  if (!mine.known) return true;
  const std::vector<Edge> sends = sends_of(batch);
  if (!contains(mine.sends, sends)) return false;
  // the batch must have all expected edges, except for those that the other algorithm may have connected before
  if (!other.known) return true;
  return std::all_of(mine.sends.begin(), mine.sends.end(), [&](const Edge& edge) {
    return (edge.channels & ~channels_of(sends, edge) & ~channels_of(other.sends, edge)) == 0;
  });
}

}  // namespace

const Expected& Expectations::get(Cache& cache, Index comm, int self,
                                  Expected (Expectations::*make)(const CommState&, int)) {
  const auto found = cache.find({comm, self});
  if (found != cache.end()) return found->second;
  if (cache.size() >= max_cached) cache.clear();
  return cache[{comm, self}] = (this->*make)(state_.comm(comm), self);
}

Expected Expectations::expect_rings(const CommState& comm, int self) {
  Expected expected{edges_from(comm.ring_edges.items(), self), false};
  expected.known = covers(comm, expected.sends);
  return expected;
}

Expected Expectations::expect_trees(const CommState& comm, int self) {
  Edges sends;
  for (const Edge& edge : edges_from(comm.tree_edges.items(), self)) sends.add(edge);
  std::vector<Edge> parents;
  const std::vector<Edge>& by_child = edges_by_child(comm);
  for (auto at = std::lower_bound(by_child.begin(), by_child.end(), self,
                                  [](const Edge&edge, int rank) { return edge.to < rank; });
       at != by_child.end() && at->to == self; ++at) {
    parents.push_back(*at);  // every rank has one edge from its parent, which is -1 at the root
    if (at->from >= 0) sends.add({self, at->from, at->block, at->channels});
  }
  sends.fold();
  Expected expected{std::move(sends.items()), false};
  expected.known = covers(comm, parents);
  return expected;
}

const std::vector<Edge>& Expectations::edges_by_child(const CommState& comm) {
  auto [found, made] = by_child_.try_emplace(&comm);
  if (made) {
    found->second.assign(comm.tree_edges.items().begin(), comm.tree_edges.items().end());
    std::sort(found->second.begin(), found->second.end(), [](const Edge& a, const Edge& b) {
      return std::tuple{a.to, a.block, a.from} < std::tuple{b.to, b.block, b.from};
    });
  }
  return found->second;
}

bool fits(const BuilderState& state, const Batch& batch, const Lifetime& life, Expectations& expectations) {
  if (life.ref.comm < 0 || life.started > batch.first.line || life.ended < batch.first.line) return false;
  const CommState& comm = state.comm(life.ref.comm);
  if (comm.rank_at(life.ref.slot).rank != batch.self) return false;
  for (const ConnectionGroup& c : batch.connections.items()) {
    if (comm.comm.nranks >= 0 && (c.from >= comm.comm.nranks || c.to >= comm.comm.nranks)) return false;
    if (c.connection == 0 && comm.comm.channels > 0 && highest_channel(c) >= comm.comm.channels) return false;
  }
  for (const PeerDevice& peer : batch.devices) {
    const Index slot = comm.slot_of(peer.rank);
    if (slot >= 0 && peer.contradicts(expectations.naming_in(batch.process), comm.rank_at(slot))) return false;
  }
  if (batch.kind == BatchKind::rings)
    return fits_expected(batch, expectations.rings(life.ref.comm, batch.self),
                         expectations.trees(life.ref.comm, batch.self));
  if (batch.kind == BatchKind::trees)
    return fits_expected(batch, expectations.trees(life.ref.comm, batch.self),
                         expectations.rings(life.ref.comm, batch.self));
  return true;
}

}  // namespace nccl_analyze::builder
