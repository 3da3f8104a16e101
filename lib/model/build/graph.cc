// Rings, trees and connections.

#include <charconv>

#include "model/build/builder.h"

namespace nccl_analyze::draft {

namespace {

constexpr std::size_t max_devices = 64;  // of other ranks' that one rank tells

/// Names hold blanks (`AWS Libfabric`), but nothing that NCCL's prefix or a line has.
bool is_network(std::string_view name) {
  return name.size() <= 64 && name.find_first_of(":[]()<>") == std::string_view::npos;
}

struct Words {
  std::string_view text;
  std::uint8_t connected;
};
constexpr Words connected_words[] = {
    {"all trees", bit_of(Algorithm::trees)},
    {"binomial trees", bit_of(Algorithm::binomial_trees)},
    {"NVLS tree", bit_of(Algorithm::nvls_tree)},
    {"CollNet", bit_of(Algorithm::collnet_direct)},
    {"collnet + chain", bit_of(Algorithm::collnet_direct) | bit_of(Algorithm::collnet_chain)},
};

/// -1 when the text is none.
template <class T = int>
T number(std::string_view text, int base) {
  T value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size() ? value : T{-1};
}

}  // namespace

DeviceNaming naming_of(std::string_view library, std::string_view version) {
  std::array<int, 3> parts{};
  const char* at = version.data();
  const char* const end = version.data() + version.size();
  for (int& part : parts) {
    const auto [after, error] = std::from_chars(at, end, part);
    if (error != std::errc{}) return DeviceNaming::unknown;
    at = after == end ? after : after + 1;
  }
  if (parts < std::array{2, 5, 6}) return DeviceNaming::unknown;  // CUDA's index, or NVML's
  return library == "RCCL" || parts < std::array{2, 18, 3} ? DeviceNaming::bus_id : DeviceNaming::nvml;
}

bool Folding::is_channel(int channel) {
  if (channel >= 0 && channel <= max_channel) return true;
  dropped_ += record_->times;
  return false;
}

void Folding::apply(const RingListed& event) {
  if (!is_channel(event.channel)) return;
  const RankRef ref = rank_being_built();
  if (ref.comm < 0) return;
  reach(rank_of(ref), InitPhase::connect);
  note_line(rank_of(ref).rings_at);
  CommDraft& comm = comm_of(ref);
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
  if (count == 0 || event.ranks.truncated()) return;
  const Edge closing = edge_on(event.channel, before, first);
  if (comm.comm.nranks >= 0) {
    if (count == comm.comm.nranks) comm.ring_edges.add(closing);
    return;
  }
  // how many ranks there are is not known yet: the longest lists are those that no damage cut
  if (count > comm.listed) comm.closing_edges = {};
  if (count >= comm.listed) comm.closing_edges.add(closing);
  comm.listed = std::max(comm.listed, count);
  comm.lists = std::max(comm.lists, event.channels);
}

void Folding::apply(const RingLinked& event) {
  if (!is_channel(event.channel) || std::min({event.prev, event.rank, event.next}) < 0) return;
  const RankRef ref = speaker(event.comm, event.rank, -1);
  if (ref.comm < 0) return;
  note_line(rank_of(ref).rings_at);
  CommDraft& comm = comm_of(ref);
  comm.highest_channel = std::max(comm.highest_channel, event.channel);
  comm.ring_edges.add(edge_on(event.channel, event.prev, event.rank));
  comm.ring_edges.add(edge_on(event.channel, event.rank, event.next));
}

void Folding::add_tree(RankRef ref, const TreeLink& link) {
  if (!is_channel(link.channel) || link.rank < 0) return;
  note_line(rank_of(ref).trees_at);
  CommDraft& comm = comm_of(ref);
  comm.highest_channel = std::max(comm.highest_channel, link.channel);
  const std::uint64_t bit = channel_bit(link.channel);
  // -1 at the root: says that the tree is known
  comm.tree_edges.add({edge_on(link.channel, link.up, link.rank), 0, bit});
  for (const int down : link.down)
    if (down >= 0) comm.tree_edges.add({edge_on(link.channel, link.rank, down), bit, 0});
}

void Folding::apply(const TreesBuilt& event) {
  TreeList trees = event.trees;
  TreeLink link;
  // NCCL cuts the line in a buffer of 1024 bytes: a last item that ends there may itself be cut.
  const bool may_be_cut = record_->text.size() >= 1000 && record_->damage != Damage::cut;
  RankRef ref;
  while (trees.next(link)) {
    if (may_be_cut && trees.text().empty()) break;
    if (ref.comm < 0) ref = speaker(event.comm, link.rank, event.nranks);
    if (ref.comm < 0) return;
    add_tree(ref, link);
  }
  if (ref.comm >= 0) reach(rank_of(ref), InitPhase::connect);
}

void Folding::apply(const TreeLinked& event) {
  const RankRef ref = rank_being_built(event.rank);
  if (ref.comm >= 0) add_tree(ref, {event.channel, event.rank, event.up, {event.down0, event.down1, event.down2}});
}

void Folding::apply(const NvlsTreesLinked& event) {
  if (event.rank < 0) return;
  const RankRef ref = rank_being_built(event.rank);
  if (ref.comm < 0) return;
  Edges& edges = comm_of(ref).nvls_edges;
  const auto add = [&](int tree, int up, std::initializer_list<int> children) {
    edges.add(edge_on(tree, up, event.rank));
    for (const int down : children)
      if (down >= 0) edges.add(edge_on(tree, event.rank, down));
  };
  add(0, event.up, {event.down0, event.down1, event.down2});
  add(1, event.second_up, {event.second_down0, event.second_down1, event.second_down2});
}

void note_head(Communicator& comm, int head, std::vector<int> ranks) {
  auto& heads = comm.nvls_heads;
  const auto at = std::lower_bound(heads.begin(), heads.end(), head,
                                   [](const NvlsHead& one, int wanted) { return one.head < wanted; });
  if (at == heads.end() || at->head != head)
    heads.insert(at, {head, std::move(ranks)});
  else if (at->ranks.size() < ranks.size())
    at->ranks = std::move(ranks);
}

void note_channels(Communicator& comm, const ChannelCount& count) {
  auto& counts = comm.channel_counts;
  const auto at = std::lower_bound(counts.begin(), counts.end(), count.channels,
                                   [](const ChannelCount& one, int wanted) { return one.channels < wanted; });
  if (at == counts.end() || at->channels != count.channels)
    counts.insert(at, count);
  else
    at->first = std::min(at->first, count.first);
}

void Folding::apply(const NvlsHeadListed& event) {
  if (!is_channel(event.head)) return;  // there are as many heads as channels at most
  const RankRef ref = rank_being_built();
  if (ref.comm < 0) return;
  RankList list = event.ranks;
  std::vector<int> ranks;
  for (int rank = -1; list.next(rank) && ranks.size() < static_cast<std::size_t>(limits_.max_ranks);)
    ranks.push_back(rank);
  note_head(comm_of(ref).comm, event.head, std::move(ranks));
}

void Folding::apply(const NvlsSetUp& event) {
  const RankRef ref = find_live(event.comm.value, -1);
  if (ref.comm < 0 || event.heads > max_channel || event.head >= event.heads) return;
  int& count = comm_of(ref).comm.nvls_head_count;
  count = std::max(count, event.heads);
  if (event.head >= 0) rank_of(ref).nvls_head = static_cast<std::int16_t>(event.head);
}

RankRef Folding::rank_at_work(int rank) {
  const ThreadDraft& now = thread();
  const RankRef ref = now.in_init && !now.mixed ? now.current : process_->lives.only_open();
  return ref.comm >= 0 && (rank < 0 || rank_of(ref).rank == rank) ? ref : RankRef{};
}

void Folding::add_collnet(const ChannelConnected& event, ConnectionGroup end) {
  const RankRef ref = event.comm.value != 0 ? find_live(event.comm.value, event.from) : rank_at_work(event.from);
  if (ref.comm < 0) return;
  end.from = event.from;
  comm_of(ref).collnet.add(end);
  Evidence seen;
  seen.add(quoted(), record_->times);
  draft::note_transport(comm_of(ref), end.transport, seen);
}

void Folding::apply(const ChannelsCounted& event) {
  const RankRef ref = rank_being_built();
  if (ref.comm < 0) return;
  rank_of(ref).channels = event.coll;
  int& channels = comm_of(ref).comm.channels;
  channels = std::max(channels, event.coll);
  Communicator& comm = comm_of(ref).comm;
  comm.nvls_channels = std::max(comm.nvls_channels, event.nvls);
  comm.p2p_channels = std::max(comm.p2p_channels, event.p2p);
  comm.p2p_channels_per_peer = std::max(comm.p2p_channels_per_peer, event.p2p_per_peer);
  const LineRef at = quoted();
  if (is_channel(event.coll)) note_channels(comm, {event.coll, at});
}

std::uint16_t Folding::intern_transport(const ChannelConnected& event) {
  constexpr std::size_t few = 8;
  for (const KnownTransport& known : known_transports_)
    if (known.transport == event.transport && known.network == event.network) return known.number;
  const std::uint16_t number = find_transport(event);
  if (known_transports_.size() == few) known_transports_.clear();
  known_transports_.push_back({std::string(event.transport), std::string(event.network), number});
  return number;
}

std::uint16_t Folding::find_transport(const ChannelConnected& event) {
  key_scratch_.assign(event.transport);
  if (key_scratch_ == "P2P/direct pointer" || key_scratch_ == "P2P/common device") key_scratch_ = "P2P/direct";
  if (key_scratch_ == "direct shared memory") key_scratch_ = "SHM";
  if (!event.network.empty()) key_scratch_.append("/").append(event.network);
  const auto found = transport_index_.find(key_scratch_);
  if (found != transport_index_.end()) return found->second;
  if (job_.transports.size() >= 1024) {
    dropped_ += record_->times;
    return 0;
  }
  const auto number = static_cast<std::uint16_t>(job_.transports.size());
  job_.transports.push_back(key_scratch_);
  transport_index_.emplace(key_scratch_, number);
  return number;
}

Batch& Folding::batch_of(ThreadDraft& now, int self, Hex comm) {
  if (now.batch && (now.batch->self != self || now.batch->comm != comm.value)) close_batch(now, BatchKind::unknown);
  if (!now.batch) {
    now.batch.emplace();
    now.batch->process = process_number_;
    now.batch->self = self;
    now.batch->comm = comm.value;
    now.batch->first = record_->at;
    // in an excerpt connections may come before anything that names a communicator: they are made in its initialisation
    if (process_->lives.empty() && now.idle_since == 0) now.idle_since = record_->at.line;
  }
  return *now.batch;
}

void Folding::apply(const ChannelConnected& event) {
  note_progress();
  if (!is_channel(event.channel)) return;
  if (!is_network(event.network)) {
    dropped_ += record_->times;
    return;
  }
  if (connections_ >= limits_.max_connections) {
    dropped_ += record_->times;
    return;
  }
  const bool receive = event.direction == "receive";
  ConnectionGroup end;
  end.channels = channel_bit(event.channel);
  end.block = block_of(event.channel);
  end.from = event.from;
  end.to = event.to;
  end.connection = static_cast<std::uint8_t>(event.connection != 0);
  end.device = static_cast<std::int16_t>(std::clamp(event.device, -1, 32767));
  end.proxy_rank = event.proxy_rank;
  end.receive = receive;
  end.gdrdma = event.gdrdma;
  end.shared = event.shared;
  end.read = event.read;
  if (event.transport == "COLLNET") {
    end.transport = intern_transport(event);
    return add_collnet(event, end);
  }
  if (event.from < 0 || event.to < 0) return;
  Batch& batch = batch_of(thread(), receive ? event.to : event.from, event.comm);
  batch.nranks = std::max(batch.nranks, event.nranks);
  end.transport = intern_transport(event);
  batch.lines += record_->times;
  batch.last = record_->at;
  const std::size_t before = batch.connections.items().size();
  batch.connections.add(end);
  connections_ += batch.connections.items().size() - before;  // wraps when repeats were folded, and back
  note_transport(batch, end.transport);
  note_device(batch, event.from, event.from_dev);
  note_device(batch, event.to, event.to_dev);
}

void Folding::note_transport(Batch& batch, std::uint16_t transport) {
  auto at = std::find_if(batch.transports.begin(), batch.transports.end(),
                         [&](const auto& entry) { return entry.first == transport; });
  if (at == batch.transports.end()) {
    batch.transports.push_back({transport, {}});
    at = batch.transports.end() - 1;
  }
  if (at->second.count == 0) quoted();
  if (at->second.lines.size() < 2)
    at->second.add(record_->at, record_->times);
  else
    at->second.count += record_->times;
}

void Folding::note_device(Batch& batch, int rank, std::string_view device) {
  // The rank itself stands in front, the peer of the line before at the end.
  if (!batch.devices.empty() && (batch.devices.front().rank == rank || batch.devices.back().rank == rank)) return;
  for (const PeerDevice& known : batch.devices)
    if (known.rank == rank) return;
  if (batch.devices.size() >= max_devices) return;
  const auto bus_id = static_cast<std::uint64_t>(std::max<std::int64_t>(number<std::int64_t>(device, 16), 0));
  // `Ring 00 :`, to 2.6.4, has bus ids or CUDA's indices; a bus id is never this small
  const bool maybe_nvml = device.size() <= 2 && record_->message.starts_with("Channel");
  if (!device.empty()) batch.devices.push_back({rank, maybe_nvml ? number(device, 10) : -1, bus_id});
}

void Folding::close_batch(ThreadDraft& now, BatchKind kind, int pxn, int gdr) {
  if (!now.batch) return;
  Batch& batch = *now.batch;
  batch.kind = kind;
  batch.ring_pxn = pxn;
  batch.ring_gdr = gdr;
  batch.connections.fold();
  RankRef ref;
  if (batch.comm != 0) {
    ref = find_live(batch.comm, batch.self);
  } else if (now.in_init && !now.mixed) {
    ref = now.current;
    if (rank_of(ref).rank < 0) learn_rank(ref, batch.self);
    CommDraft& own = comm_of(ref);
    if (own.alone && own.devices.size() < max_devices)
      own.devices.insert(own.devices.end(), batch.devices.begin(), batch.devices.end());
  }
  const bool known = ref.comm >= 0 && rank_of(ref).rank == batch.self;
  if (known) {
    merge_batch(job_, ref.comm, batch);
  } else if (closed_batches_.insert(spread(content_of(batch) + now.number) >> 1U)) {
    job_.batches.add(batch);
  }
  now.batch = {};
}

void Folding::apply(const RingsConnected& event) {
  note_progress();
  ThreadDraft& now = thread();
  if (now.batch) now.batch->connected |= bit_of(Algorithm::rings);
  close_batch(now, BatchKind::rings, event.pxn, event.gdr);
}

void Folding::apply(const CollnetChainsBuilt& event) {
  std::vector<ChainLink> links;
  ChainList list = event.chains;
  // A last item that ends where NCCL's buffer does may itself be cut.
  const bool may_be_cut = record_->text.size() >= 1000 && record_->damage != Damage::cut;
  for (ChainLink link; list.next(link) && !(may_be_cut && list.text().empty());)
    if (is_channel(link.channel) && link.rank >= 0 && link.up >= 0) links.push_back(link);
  const int self = links.empty() ? -1 : links.front().rank;
  std::erase_if(links, [self](const ChainLink& link) { return link.rank != self; });
  if (!event.connected) {
    const RankRef ref = rank_being_built(self);
    if (ref.comm >= 0) add_chains(comm_of(ref), links);
    return;
  }
  ThreadDraft& now = thread();
  if (now.batch && (self < 0 || now.batch->self == self)) {
    now.batch->connected |= bit_of(Algorithm::collnet_chain);
    now.batch->chains = std::move(links);
  } else if (const RankRef ref = rank_at_work(self); ref.comm >= 0) {
    rank_of(ref).connected |= bit_of(Algorithm::collnet_chain);
    add_chains(comm_of(ref), links);
  }
  close_batch(thread(), BatchKind::other);
}

void Folding::apply(const AlgorithmConnected& event) {
  note_progress();
  std::uint8_t connected = 0;
  for (const Words& words : connected_words)
    if (words.text == event.algorithm) connected = words.connected;
  ThreadDraft& now = thread();
  if (now.batch)
    now.batch->connected |= connected;
  else if (const RankRef ref = rank_at_work(-1); ref.comm >= 0)
    rank_of(ref).connected |= connected;
  close_batch(thread(), event.algorithm == "all trees" ? BatchKind::trees : BatchKind::other);
}

}  // namespace nccl_analyze::draft
