#include "model/build/connections.h"

#include <algorithm>
#include <charconv>

#include "model/build/merge.h"
#include "model/build/ranks.h"
#include "model/build/releases.h"

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_devices = 64;  // limit of Batch::devices

/// Whether the text can be the name of a network. Names may contain blanks (`AWS Libfabric`), but no punctuation that
/// log prefixes use.
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

/// Parses the whole text as a number; -1 if it is not a number.
template <class T = int>
T number(std::string_view text, int base) {
  T value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size() ? value : T{-1};
}

/// Converts a line to one end of a connection. The caller sets the transport.
ConnectionGroup end_of(const ChannelConnected& event) {
  ConnectionGroup end;
  end.channels = channel_bit(event.channel);
  end.block = block_of(event.channel);
  end.from = event.from;
  end.to = event.to;
  end.connection = static_cast<std::uint8_t>(event.connection != 0);
  end.device = static_cast<std::int16_t>(std::clamp(event.device, -1, 32767));
  end.proxy_rank = event.proxy_rank;
  end.receive = event.direction == "receive";
  end.gdrdma = event.gdrdma;
  end.shared = event.shared;
  end.read = event.read;
  return end;
}

/// Adds a connection to a switch that reduces in the network (CollNet). Such a line is attributed to its communicator
/// at once, without a batch.
void add_collnet(Context& context, const ChannelConnected& event, ConnectionGroup end) {
  const RankRef ref =
      event.comm.value != 0 ? find_live(context, event.comm.value, event.from) : rank_at_work(context, event.from);
  if (ref.comm < 0) return;
  end.from = event.from;
  context.comm(ref).collnet.add(end);
  Evidence seen;
  seen.add(context.quote(), context.record->times);
  add_transport(context.comm(ref), end.transport, seen);
}

/// Returns the thread's open batch for the rank `self` of `comm`. If there is none, opens one, after closing the open
/// batch of any other rank or communicator.
Batch& batch_of(Context& context, ThreadState& now, int self, Hex comm) {
  if (now.batch && (now.batch->self != self || now.batch->comm != comm.value))
    close_batch(context, now, BatchKind::unknown);
  if (!now.batch) {
    now.batch = std::move(context.spare_batch);
    now.batch.made();
    now.batch->process = context.process_number;
    now.batch->self = self;
    now.batch->device = context.record->origin.device;
    now.batch->comm = comm.value;
    now.batch->first = context.record->at;
    // an excerpt may begin with connections: the initialisation of their communicator began here or earlier
    if (context.process->lifetimes.empty() && now.idle_since == 0) now.idle_since = context.record->at.line;
  }
  return *now.batch;
}

void add_transport(Context& context, Batch& batch, std::uint16_t transport) {
  auto at = std::find_if(batch.transports.begin(), batch.transports.end(),
                         [&](const auto& entry) { return entry.first == transport; });
  if (at == batch.transports.end()) {
    batch.transports.push_back({transport, {}});
    at = batch.transports.end() - 1;
  }
  if (at->second.count == 0) context.quote();
  if (at->second.lines.size() < 2)
    at->second.add(context.record->at, context.record->times);
  else
    at->second.count += context.record->times;
}

/// Whether the numbers in brackets may be NVML indices, which NCCL prints since 2.18.3. Since then `Channel 00 :`
/// without a second number is of shared memory alone; `Ring 00 :` (up to 2.6.4) holds bus ids or CUDA indices.
bool may_print_nvml(std::string_view message, const ChannelConnected& event) {
  return message.starts_with("Channel") && (event.transport == "SHM" || has_connection_number(message));
}

void add_device(const Context& context, Batch& batch, const ChannelConnected& event, int rank,
                std::string_view device) {
  // fast path: the first entry is usually the printing rank, the last entry the peer of the previous line
  if (!batch.devices.empty() && (batch.devices.front().rank == rank || batch.devices.back().rank == rank)) return;
  for (const PeerDevice& known : batch.devices)
    if (known.rank == rank) return;
  if (batch.devices.size() >= max_devices) return;
  const auto bus_id = static_cast<std::uint64_t>(std::max<std::int64_t>(number<std::int64_t>(device, 16), 0));
  // an NVML index has at most two digits, a bus id mostly more
  const bool maybe_nvml = device.size() <= 2 && may_print_nvml(context.record->message, event);
  if (!device.empty()) batch.devices.push_back({rank, maybe_nvml ? number(device, 10) : -1, bus_id});
}

}  // namespace

std::uint16_t Connections::intern_transport(Context& context, const ChannelConnected& event) {
  constexpr std::size_t few = 8;
  for (const KnownTransport& known : known_transports_)
    if (known.transport == event.transport && known.network == event.network) return known.number;
  const std::uint16_t number = find_transport(context, event);
  if (known_transports_.size() == few) known_transports_.clear();
  known_transports_.push_back({std::string(event.transport), std::string(event.network), number});
  return number;
}

std::uint16_t Connections::find_transport(Context& context, const ChannelConnected& event) {
  key_scratch_.assign(event.transport);
  if (key_scratch_ == "P2P/direct pointer" || key_scratch_ == "P2P/common device") key_scratch_ = "P2P/direct";
  if (key_scratch_ == "direct shared memory") key_scratch_ = "SHM";
  if (!event.network.empty()) key_scratch_.append("/").append(event.network);
  const auto found = transport_index_.find(key_scratch_);
  if (found != transport_index_.end()) return found->second;
  if (context.state.transports.size() >= 1024) {
    context.drop();
    return 0;
  }
  const auto number = static_cast<std::uint16_t>(context.state.transports.size());
  context.state.transports.push_back(key_scratch_);
  transport_index_.emplace(key_scratch_, number);
  return number;
}

void Connections::apply(Context& context, const ChannelConnected& event) {
  context.note_progress();
  if (event.nranks > 0) context.note_rccl();
  if (!context.is_channel(event.channel)) return;
  if (!is_network(event.network) || connections_ >= context.limits.max_connections) {
    context.drop();
    return;
  }
  ConnectionGroup end = end_of(event);
  end.channels |= context.replayed.channels;
  if (event.transport == "COLLNET") {
    end.transport = intern_transport(context, event);
    return add_collnet(context, event, end);
  }
  if (event.from < 0 || event.to < 0) return;
  Batch& batch = batch_of(context, context.thread(), end.receive ? event.to : event.from, event.comm);
  batch.nranks = std::max(batch.nranks, event.nranks);
  end.transport = intern_transport(context, event);
  batch.lines += context.record->times;
  batch.last = context.record->at;
  const std::size_t before = batch.connections.items().size();
  batch.connections.add(end);
  // folding may shrink the list; the unsigned difference then wraps around, and the sum is still correct
  connections_ += batch.connections.items().size() - before;
  add_transport(context, batch, end.transport);
  add_device(context, batch, event, event.from, event.from_dev);
  add_device(context, batch, event, event.to, event.to_dev);
}

void Connections::apply(Context& context, const RingsConnected& event) {
  context.note_progress();
  ThreadState& now = context.thread();
  if (now.batch) now.batch->connected |= bit_of(Algorithm::rings);
  close_batch(context, now, BatchKind::rings, event.pxn, event.gdr);
}

void Connections::apply(Context& context, const CollnetChainsBuilt& event) {
  std::vector<ChainLink> links;
  ChainList list = event.chains;
  const bool may_be_cut = may_end_in_cut_item(*context.record);
  for (ChainLink link; list.next(link) && !(may_be_cut && list.text().empty());)
    if (context.is_channel(link.channel) && link.rank >= 0 && link.up >= 0) links.push_back(link);
  const int self = links.empty() ? -1 : links.front().rank;
  std::erase_if(links, [self](const ChainLink& link) { return link.rank != self; });
  if (!event.connected) {
    const RankRef ref = rank_being_built(context, self);
    if (ref.comm >= 0) add_chains(context.comm(ref), links);
    return;
  }
  ThreadState& now = context.thread();
  if (now.batch && (self < 0 || now.batch->self == self)) {
    now.batch->connected |= bit_of(Algorithm::collnet_chain);
    now.batch->chains = std::move(links);
  } else if (const RankRef ref = rank_at_work(context, self); ref.comm >= 0) {
    context.rank(ref).connected |= bit_of(Algorithm::collnet_chain);
    add_chains(context.comm(ref), links);
  }
  close_batch(context, context.thread(), BatchKind::other);
}

void Connections::apply(Context& context, const AlgorithmConnected& event) {
  context.note_progress();
  std::uint8_t connected = 0;
  for (const Words& words : connected_words)
    if (words.text == event.algorithm) connected = words.connected;
  ThreadState& now = context.thread();
  if (now.batch)
    now.batch->connected |= connected;
  else if (const RankRef ref = rank_at_work(context, -1); ref.comm >= 0)
    context.rank(ref).connected |= connected;
  close_batch(context, context.thread(), event.algorithm == "all trees" ? BatchKind::trees : BatchKind::other);
}

}  // namespace nccl_analyze::builder
