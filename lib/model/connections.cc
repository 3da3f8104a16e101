// Expands ConnectionGroups, each of which holds many channels, into single connections.

#include "nccl_analyze/model/connections.h"

#include <algorithm>
#include <bit>

#include "model/sort_key.h"

namespace nccl_analyze {

namespace {

constexpr int block_size = 64;

bool has_channel(const ConnectionGroup& group, int channel) {
  return group.block == channel / block_size && (group.channels >> (channel % block_size) & 1U) != 0;
}

bool same_connection(const ConnectionGroup& a, const ConnectionGroup& b) {
  return std::tie(a.connection, a.from, a.to, a.transport, a.block) ==
         std::tie(b.connection, b.from, b.to, b.transport, b.block);
}

/// Adds one end of a connection. The sender's end is added first, therefore its NIC and proxy are kept, and those of
/// the receiver are ignored.
void add_end(Connection& into, const ConnectionGroup& end) {
  if (into.device < 0) into.device = end.device;
  if (into.proxy_rank < 0) into.proxy_rank = end.proxy_rank;
  (end.receive ? into.gdrdma_receive : into.gdrdma_send) |= end.gdrdma;
  (end.receive ? into.seen_receive : into.seen_send) = true;
  into.shared |= end.shared;
  into.read |= end.read;
}

/// Converts one end of a connection to a group with one channel.
ConnectionGroup end_of(const Connection& connection, bool receive) {
  ConnectionGroup end;
  end.channels = std::uint64_t{1} << (connection.channel % block_size);
  end.from = connection.from;
  end.to = connection.to;
  end.proxy_rank = connection.proxy_rank;
  end.device = connection.device;
  end.transport = connection.transport;
  end.block = static_cast<std::uint8_t>(connection.channel / block_size);
  end.connection = connection.connection;
  end.receive = receive;
  end.gdrdma = receive ? connection.gdrdma_receive : connection.gdrdma_send;
  end.shared = connection.shared;
  end.read = connection.read;
  return end;
}

std::vector<ConnectionGroup> ends_of(std::initializer_list<Connection> connections) {
  std::vector<ConnectionGroup> ends;
  for (const Connection& one : connections) {
    if (one.seen_send || !one.seen_receive) ends.push_back(end_of(one, false));
    if (one.seen_receive) ends.push_back(end_of(one, true));
  }
  return ends;
}

}  // namespace

ConnectionList::ConnectionList(std::initializer_list<Connection> connections) : ConnectionList(ends_of(connections)) {}

ConnectionList::ConnectionList(std::vector<ConnectionGroup> groups) : groups_(std::move(groups)) {
  std::sort(groups_.begin(), groups_.end(),
            [](const ConnectionGroup& a, const ConnectionGroup& b) { return sort_key(a) < sort_key(b); });
  std::size_t kept = 0;
  for (const ConnectionGroup& group : groups_) {
    if (kept > 0 && sort_key(groups_[kept - 1]) == sort_key(group))
      groups_[kept - 1].channels |= group.channels;
    else
      groups_[kept++] = group;
  }
  groups_.resize(kept);
  each_bundle([this](const ConnectionBundle& bundle) {
    size_ += bundle.size();
    channels_ = std::max<int>(channels_, bundle.block * block_size + static_cast<int>(std::bit_width(bundle.channels)));
  });
}

ConnectionBundle ConnectionList::bundle_at(std::size_t& at) const {
  const ConnectionGroup& first = groups_[at];
  ConnectionBundle bundle;
  bundle.from = first.from;
  bundle.to = first.to;
  bundle.transport = first.transport;
  bundle.connection = first.connection;
  bundle.block = first.block;
  for (; at < groups_.size() && same_connection(groups_[at], first); ++at) {
    const ConnectionGroup& end = groups_[at];
    bundle.channels |= end.channels;
    (end.receive ? bundle.seen_receive : bundle.seen_send) |= end.channels;
    if (end.gdrdma) (end.receive ? bundle.gdrdma_receive : bundle.gdrdma_send) |= end.channels;
  }
  return bundle;
}

ConnectionList::Iterator ConnectionList::begin() const {
  Iterator first(*this, 0);
  if (channels_ > 0) ++first;
  return first;
}

ConnectionList::Iterator& ConnectionList::Iterator::operator++() {
  const std::vector<ConnectionGroup>& groups = list_->groups_;
  for (; channel_ < list_->channels_; ++channel_, next_ = 0) {
    while (next_ < groups.size() && !has_channel(groups[next_], channel_)) ++next_;
    if (next_ == groups.size()) continue;
    const ConnectionGroup& first = groups[next_];
    current_ = {};
    current_.from = first.from;
    current_.to = first.to;
    current_.channel = static_cast<std::int16_t>(channel_);
    current_.transport = first.transport;
    current_.connection = first.connection;
    for (; next_ < groups.size() && same_connection(groups[next_], first); ++next_)
      if (has_channel(groups[next_], channel_)) add_end(current_, groups[next_]);
    return *this;
  }
  next_ = 0;
  return *this;
}

}  // namespace nccl_analyze
