#include "model/build/graph.h"

#include <algorithm>
#include <bit>

#include "model/build/merge.h"
#include "model/build/ranks.h"

namespace nccl_analyze::builder {

void Graph::apply(Context& context, const RingListed& event) {
  if (!context.is_channel(event.channel)) return;
  const RankRef ref = rank_being_built(context);
  if (ref.comm < 0) return;
  reach(context.rank(ref), InitPhase::connect);
  context.quote_first(context.rank(ref).rings_at);
  CommState& comm = context.comm(ref);
  comm.highest_channel = std::max(comm.highest_channel, event.channel);
  RankList ranks = event.ranks;
  int first = -1, before = -1, next = -1, count = 0;
  while (ranks.next(next)) {
    if (count++ == 0)
      first = next;
    else
      comm.ring_edges.add(edge_on(event.channel, before, next));
    before = next;
  }
  comm.list_damaged |= context.record->damage != Damage::none || event.ranks.truncated();
  if (count == 0 || event.ranks.truncated()) return;
  const Edge closing = edge_on(event.channel, before, first);
  if (comm.comm.nranks >= 0) {
    if (count == comm.comm.nranks) comm.ring_edges.add(closing);
    return;
  }
  // while the number of ranks is unknown, the longest lists count as complete, because damage only shortens lists
  if (count > comm.listed) comm.closing_edges = {};
  if (count >= comm.listed) comm.closing_edges.add(closing);
  comm.listed = std::max(comm.listed, count);
  comm.lists = std::max(comm.lists, event.channels);
}

void Graph::apply(Context& context, const RingLinked& event) {
  if (!context.is_channel(event.channel) || std::min({event.prev, event.rank, event.next}) < 0) return;
  const RankRef ref = sender_rank(context, event.comm, event.rank, -1);
  if (ref.comm < 0) return;
  context.quote_first(context.rank(ref).rings_at);
  CommState& comm = context.comm(ref);
  comm.highest_channel = std::max(comm.highest_channel, event.channel);
  comm.ring_edges.add(edge_on(event.channel, event.prev, event.rank));
  comm.ring_edges.add(edge_on(event.channel, event.rank, event.next));
}

namespace {

/// Consecutive channels in which a rank has the same place.
struct TreeRun {
  TreeLink link;               ///< Of the last channel.
  std::uint64_t channels = 0;  ///< Bits of the channels, which are in the block of the last one.

  bool goes_on_with(const TreeLink& next) const {
    return channels != 0 && next.rank == link.rank && next.up == link.up && std::ranges::equal(next.down, link.down) &&
           block_of(next.channel) == block_of(link.channel);
  }
};

void add_trees(Context& context, RankRef ref, const TreeRun& run) {
  if (run.channels == 0) return;
  const TreeLink& link = run.link;
  context.quote_first(context.rank(ref).trees_at);
  CommState& comm = context.comm(ref);
  const std::uint8_t block = block_of(link.channel);
  comm.highest_channel =
      std::max(comm.highest_channel, block * block_size + static_cast<int>(std::bit_width(run.channels)) - 1);
  // the root gets an edge from -1, so that every rank of a complete tree has a parent edge
  comm.tree_edges.add({{link.up, link.rank, block, run.channels}, 0, run.channels});
  for (const int down : link.down)
    if (down >= 0) comm.tree_edges.add({{link.rank, down, block, run.channels}, run.channels, 0});
}

/// Adds the place of a rank on one more channel to `run`, which is added to the communicator first if the place is
/// another one.
void add_tree(Context& context, RankRef ref, const TreeLink& link, TreeRun& run) {
  if (!context.is_channel(link.channel) || link.rank < 0) return;
  if (!run.goes_on_with(link)) {
    add_trees(context, ref, run);
    run.channels = 0;
  }
  run.link = link;
  run.channels |= channel_bit(link.channel);
}

}  // namespace

void Graph::apply(Context& context, const TreesBuilt& event) {
  TreeList trees = event.trees;
  TreeLink link;
  const bool may_be_cut = may_end_in_cut_item(*context.record);
  if (event.nranks > 0) context.note_rccl();
  RankRef ref;
  TreeRun run;
  while (trees.next(link)) {
    if (may_be_cut && trees.text().empty()) break;
    if (ref.comm < 0) ref = sender_rank(context, event.comm, link.rank, event.nranks);
    if (ref.comm < 0) return;
    add_tree(context, ref, link, run);
  }
  if (ref.comm < 0) return;
  add_trees(context, ref, run);
  reach(context.rank(ref), InitPhase::connect);
}

void Graph::apply(Context& context, const TreeLinked& event) {
  const RankRef ref = rank_being_built(context, event.rank);
  if (ref.comm < 0) return;
  TreeRun run;
  add_tree(context, ref, {event.channel, event.rank, event.up, {event.down0, event.down1, event.down2}}, run);
  add_trees(context, ref, run);
}

void Graph::apply(Context& context, const NvlsTreesLinked& event) {
  if (event.rank < 0) return;
  const RankRef ref = rank_being_built(context, event.rank);
  if (ref.comm < 0) return;
  Edges& edges = context.comm(ref).nvls_edges;
  const auto add = [&](int tree, int up, std::initializer_list<int> children) {
    edges.add(edge_on(tree, up, event.rank));
    for (const int down : children)
      if (down >= 0) edges.add(edge_on(tree, event.rank, down));
  };
  add(0, event.up, {event.down0, event.down1, event.down2});
  add(1, event.second_up, {event.second_down0, event.second_down1, event.second_down2});
}

void Graph::apply(Context& context, const NvlsHeadListed& event) {
  if (!context.is_channel(event.head)) return;  // there are at most as many heads as channels
  const RankRef ref = rank_being_built(context);
  if (ref.comm < 0) return;
  RankList list = event.ranks;
  std::vector<int> ranks;
  for (int rank = -1; list.next(rank) && ranks.size() < static_cast<std::size_t>(context.limits.max_ranks);)
    ranks.push_back(rank);
  add_head(context.comm(ref).comm, event.head, std::move(ranks));
}

void Graph::apply(Context& context, const NvlsSetUp& event) {
  context.note_progress();
  context.facts->nvlink = true;  // only GPUs behind an NVSwitch have multicast memory
  const RankRef ref = find_live(context, event.comm.value, -1);
  if (ref.comm < 0 || event.heads > max_channel || event.head >= event.heads) return;
  int& count = context.comm(ref).comm.nvls_head_count;
  count = std::max(count, event.heads);
  if (event.head >= 0) context.rank(ref).nvls_head = static_cast<std::int16_t>(event.head);
}

void Graph::apply(Context& context, const ChannelsCounted& event) {
  const RankRef ref = rank_being_built(context);
  if (ref.comm < 0) return;
  context.rank(ref).channels = event.coll;
  int& channels = context.comm(ref).comm.channels;
  channels = std::max(channels, event.coll);
  Communicator& comm = context.comm(ref).comm;
  comm.nvls_channels = std::max(comm.nvls_channels, event.nvls);
  comm.p2p_channels = std::max(comm.p2p_channels, event.p2p);
  comm.p2p_channels_per_peer = std::max(comm.p2p_channels_per_peer, event.p2p_per_peer);
  const LineRef at = context.quote();
  if (context.is_channel(event.coll)) add_channel_count(comm, {event.coll, at});
}

}  // namespace nccl_analyze::builder
