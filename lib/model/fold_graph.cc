// Rings, trees and connections.

#include <charconv>

#include "model/folding.h"

namespace nccl_analyze::draft {

namespace {

constexpr int max_channel = 255;  // MAXCHANNELS is 64, RCCL's 128: anything far above is damage

constexpr std::size_t max_devices = 64;  // of other ranks' that one rank tells

/// Names hold blanks (`AWS Libfabric`), but nothing that NCCL's prefix or a line has.
bool is_network(std::string_view name) {
  return name.size() <= 64 && name.find_first_of(":[]()<>") == std::string_view::npos;
}

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

void Folding::apply(const ChannelsCounted& event) {
  const RankRef ref = rank_being_built();
  if (ref.comm < 0) return;
  rank_of(ref).channels = event.coll;
  Communicator& comm = comm_of(ref).comm;
  comm.channels = std::max(comm.channels, event.coll);
  comm.nvls_channels = std::max(comm.nvls_channels, event.nvls);
  quoted();
}

std::uint16_t Folding::intern_transport(const ChannelConnected& event) {
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
  if (now.batch >= 0) {
    const Batch& open = job_.batches[static_cast<std::size_t>(now.batch)];
    if (open.self != self || open.comm != comm.value) close_batch(now, BatchKind::unknown);
  }
  if (now.batch < 0) {
    now.batch = static_cast<Index>(job_.batches.size());
    Batch& made = job_.batches.emplace_back();
    made.process = process_number_;
    made.self = self;
    made.comm = comm.value;
    made.first = record_->at;
  }
  return job_.batches[static_cast<std::size_t>(now.batch)];
}

void Folding::apply(const ChannelConnected& event) {
  if (!is_channel(event.channel)) return;
  if (event.from < 0 || event.to < 0) return;  // CollNet names no peer
  if (!is_network(event.network)) {
    dropped_ += record_->times;
    return;
  }
  const bool receive = event.direction == "receive";
  Batch& batch = batch_of(thread(), receive ? event.to : event.from, event.comm);
  batch.nranks = std::max(batch.nranks, event.nranks);
  const std::uint16_t transport = intern_transport(event);
  batch.lines += record_->times;
  batch.last = record_->at;
  ConnectionGroup end;
  end.channels = channel_bit(event.channel);
  end.block = block_of(event.channel);
  end.from = event.from;
  end.to = event.to;
  end.connection = static_cast<std::uint8_t>(event.connection != 0);
  end.transport = transport;
  end.device = static_cast<std::int16_t>(std::clamp(event.device, -1, 32767));
  end.proxy_rank = event.proxy_rank;
  end.receive = receive;
  end.gdrdma = event.gdrdma;
  end.shared = event.shared;
  end.read = event.read;
  batch.connections.add(end);
  note_transport(batch, transport);
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
  for (const PeerDevice& known : batch.devices)
    if (known.rank == rank) return;
  if (batch.devices.size() >= max_devices) return;
  const auto bus_id = static_cast<std::uint64_t>(std::max<std::int64_t>(number<std::int64_t>(device, 16), 0));
  // `Ring 00 :`, to 2.6.4, has bus ids or CUDA's indices; a bus id is never this small
  const bool maybe_nvml = device.size() <= 2 && record_->message.starts_with("Channel");
  if (!device.empty()) batch.devices.push_back({rank, maybe_nvml ? number(device, 10) : -1, bus_id});
}

void Folding::close_batch(ThreadDraft& now, BatchKind kind, int pxn, int gdr) {
  if (now.batch < 0) return;
  Batch& batch = job_.batches[static_cast<std::size_t>(now.batch)];
  batch.kind = kind;
  batch.ring_pxn = pxn;
  batch.ring_gdr = gdr;
  batch.connections.fold();
  RankRef ref;
  if (batch.comm != 0) {
    ref = find_live(batch.comm, batch.self);
  } else if (now.in_init && !now.mixed) {
    ref = now.current;
    if (rank_of(ref).rank < 0) ref = rank_being_built(batch.self);
    CommDraft& own = comm_of(ref);
    if (own.alone && own.devices.size() < max_devices)
      own.devices.insert(own.devices.end(), batch.devices.begin(), batch.devices.end());
  }
  const bool known = ref.comm >= 0 && rank_of(ref).rank == batch.self;
  if (known) merge_batch(job_, ref.comm, batch);
  if (!now.closed) now.closed = std::make_unique<std::unordered_set<std::size_t>>();
  if (known || !now.closed->insert(content_of(batch)).second) {
    if (static_cast<std::size_t>(now.batch) + 1 == job_.batches.size()) {
      job_.batches.pop_back();
    } else {
      batch = {};
      batch.process = -1;  // done
    }
  }
  now.batch = -1;
}

void Folding::apply(const RingsConnected& event) { close_batch(thread(), BatchKind::rings, event.pxn, event.gdr); }

void Folding::apply(const AlgorithmConnected& event) {
  close_batch(thread(), event.algorithm == "all trees" ? BatchKind::trees : BatchKind::other);
}

}  // namespace nccl_analyze::draft
