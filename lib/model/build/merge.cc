#include "model/build/merge.h"

#include <algorithm>
#include <utility>

namespace nccl_analyze::builder {

namespace {

/// Records the NICs (numbers below 64) that the printing rank of a batch uses for sending or receiving.
void add_nics(const BuilderState& state, const Batch& batch, CommState& into) {
  const Index slot = into.slot_of(batch.self);
  if (slot < 0) return;
  Rank& rank = into.comm.ranks[slot];
  for (const ConnectionGroup& connection : batch.connections.items())
    if (connection.device >= 0 && connection.device < 64 && state.transports[connection.transport].starts_with("NET/"))
      rank.nics |= std::uint64_t{1} << static_cast<unsigned>(connection.device);
}

void merge_edges(CommState& into, const CommState& from) {
  const auto add = [](auto& to, const auto& items) {
    for (const auto& one : items.items()) to.add(one);
  };
  add(into.ring_edges, from.ring_edges);
  add(into.connected_ring_edges, from.connected_ring_edges);
  add(into.tree_edges, from.tree_edges);
  add(into.nvls_edges, from.nvls_edges);
  add(into.chain_edges, from.chain_edges);
  add(into.collnet, from.collnet);
  add(into.closing_edges, from.closing_edges);
  add(into.connections, from.connections);
}

/// Merges the settings after `Connected all rings` (-1: not printed): keeps the highest `pxn` and the lowest `gdr`.
void merge_ring_settings(Communicator& into, int pxn, int gdr) {
  into.ring_pxn = std::max(into.ring_pxn, pxn);
  if (gdr >= 0) into.ring_gdr = into.ring_gdr < 0 ? gdr : std::min(into.ring_gdr, gdr);
}

void merge_counts(Communicator& into, Communicator& from) {
  into.channels = std::max(into.channels, from.channels);
  into.nvls_channels = std::max(into.nvls_channels, from.nvls_channels);
  into.p2p_channels = std::max(into.p2p_channels, from.p2p_channels);
  into.p2p_channels_per_peer = std::max(into.p2p_channels_per_peer, from.p2p_channels_per_peer);
  into.nvls_head_count = std::max(into.nvls_head_count, from.nvls_head_count);
  for (const ChannelCount& count : from.channel_counts) add_channel_count(into, count);
  for (NvlsHead& head : from.nvls_heads) add_head(into, head.head, std::move(head.ranks));
  merge_ring_settings(into, from.ring_pxn, from.ring_gdr);
}

}  // namespace

Index owner_of(const BuilderState& state, Index comm) {
  while (comm >= 0 && state.comm(comm).into >= 0) comm = state.comm(comm).into;
  return comm;
}

void empty_merged(CommState& from, Index into) {
  CommState left;
  left.into = into;
  left.comm.ranks.resize(1);
  left.comm.ranks.front().rank = from.comm.ranks.front().rank;
  from = std::move(left);
}

void merge_graph(CommState& into, CommState& from) {
  merge_edges(into, from);
  for (std::size_t i = 0; i < from.transports.size(); ++i)
    add_transport(into, from.transports[i], from.comm.transport_evidence[i]);
  if (from.listed > 0) {
    into.listed = from.listed;
    into.lists = from.lists;
  }
  into.devices.insert(into.devices.end(), from.devices.begin(), from.devices.end());
  into.highest_channel = std::max(into.highest_channel, from.highest_channel);
  into.completed = std::max(into.completed, from.completed);
  if (into.opened == 0 || (from.opened != 0 && from.opened < into.opened)) into.opened = from.opened;
  if (from.names_differ) into.names_differ = true;
  add_name(into, from.comm.name);
  merge_counts(into.comm, from.comm);
}

void merge_batch(BuilderState& state, Index comm, const Batch& batch) {
  CommState& into = state.comm(comm);
  for (const auto& [transport, evidence] : batch.transports) add_transport(into, transport, evidence);
  for (const ConnectionGroup& group : batch.connections.items()) {
    into.connections.append(group);
    into.highest_channel = std::max(into.highest_channel, highest_channel(group));
    if (batch.kind == BatchKind::rings && group.connection == 0)
      into.connected_ring_edges.add({group.from, group.to, group.block, group.channels});
  }
  add_chains(into, batch.chains);
  add_nics(state, batch, into);
  const Index self = into.slot_of(batch.self);
  if (self >= 0) {
    Rank& rank = into.comm.ranks[self];
    rank.connected |= batch.connected;
    // A rank connects channels when the bootstrap, the exchange and the search are behind it.
    if (rank.state == RankState::started && !batch.connections.items().empty())
      rank.phase = std::max(rank.phase, InitPhase::connect);
  }
  if (batch.kind == BatchKind::rings) merge_ring_settings(into.comm, batch.ring_pxn, batch.ring_gdr);
}

void add_transport(CommState& comm, std::uint16_t transport, const Evidence& evidence) {
  auto at = std::find(comm.transports.begin(), comm.transports.end(), transport);
  if (at == comm.transports.end()) {
    comm.transports.push_back(transport);
    comm.comm.transport_evidence.emplace_back();
    at = comm.transports.end() - 1;
  }
  comm.comm.transport_evidence[static_cast<std::size_t>(at - comm.transports.begin())].add(evidence);
}

void add_chains(CommState& comm, const std::vector<ChainLink>& chains) {
  for (const ChainLink& link : chains) {
    comm.highest_channel = std::max(comm.highest_channel, link.channel);
    comm.chain_edges.add(edge_on(link.channel, link.up, link.rank));
  }
}

void add_head(Communicator& comm, int head, std::vector<int> ranks) {
  auto& heads = comm.nvls_heads;
  const auto at = std::lower_bound(heads.begin(), heads.end(), head,
                                   [](const NvlsHead& one, int wanted) { return one.head < wanted; });
  if (at == heads.end() || at->head != head)
    heads.insert(at, {head, std::move(ranks)});
  else if (at->ranks.size() < ranks.size())
    at->ranks = std::move(ranks);
}

void add_channel_count(Communicator& comm, const ChannelCount& count) {
  auto& counts = comm.channel_counts;
  const auto at = std::lower_bound(counts.begin(), counts.end(), count.channels,
                                   [](const ChannelCount& one, int wanted) { return one.channels < wanted; });
  if (at == counts.end() || at->channels != count.channels)
    counts.insert(at, count);
  else
    at->first = std::min(at->first, count.first);
}

void add_name(CommState& comm, std::string_view name) {
  if (!comm.comm.name.empty() && !name.empty() && comm.comm.name != name) comm.names_differ = true;
  if (comm.comm.name.empty()) comm.comm.name = name;
  if (comm.names_differ) comm.comm.name.clear();
}

}  // namespace nccl_analyze::builder
