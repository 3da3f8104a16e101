#pragma once
/// The connections of a communicator. NCCL usually connects two ranks in the same way on many channels. Connections
/// that differ only by channel are therefore stored once, and memory grows with the pairs of ranks, not with the
/// channels.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <tuple>
#include <vector>

#include "nccl_analyze/language.h"

namespace nccl_analyze {

/// The highest channel number that is accepted. NCCL has at most 64 channels and RCCL 128 (MAXCHANNELS); a much higher
/// number is assumed to come from a damaged line.
inline constexpr int max_channel = 255;

/// One connection on one channel, as printed by one or both of its ends.
struct Connection {
  int from = -1, to = -1;
  std::int16_t channel = -1;
  std::int16_t device = -1;  ///< NIC index at the sender if the sender printed it, else at the receiver; -1: no NIC.
  int proxy_rank = -1;
  std::uint16_t transport = 0;  ///< Index into Communicator::transports.
  std::uint8_t connection = 0;  ///< connIndex: 0 or 1
  bool gdrdma_send = false, gdrdma_receive = false;
  bool shared = false, read = false;
  /// Which ends printed the connection; P2P and SHM connections are printed only by the sender.
  bool seen_send = false, seen_receive = false;
  bool gdrdma() const { return gdrdma_send || gdrdma_receive; }
};

/// The connection lines of one rank that are equal except for the channel.
struct ConnectionGroup {
  std::uint64_t channels = 0;  ///< Bit i: channel 64·block + i.
  int from = -1, to = -1;
  int proxy_rank = -1;
  std::int16_t device = -1;
  std::uint16_t transport = 0;
  std::uint8_t block = 0;
  std::uint8_t connection = 0;
  bool receive = false;  ///< Whether the receiver printed the lines.
  bool gdrdma = false, shared = false, read = false;

  /// Returns all members except the channels. If groups are sorted by this key, the two ends of a connection are next
  /// to each other, the sender first.
  auto key() const {
    return std::tuple{connection, from, to, transport, block, receive, device, proxy_rank, gdrdma, shared, read};
  }
};

/// The connections from one rank to another with the same transport, connIndex and block of channels. The two ends may
/// have printed different channels. In each of the bitmaps, bit i is channel 64·block + i.
struct ConnectionBundle {
  int from = -1, to = -1;
  std::uint16_t transport = 0;
  std::uint8_t connection = 0, block = 0;
  std::uint64_t channels = 0;
  std::uint64_t seen_send = 0, seen_receive = 0;
  std::uint64_t gdrdma_send = 0, gdrdma_receive = 0;

  std::size_t size() const { return static_cast<std::size_t>(std::popcount(channels)); }
};

/// The connections of a communicator, sorted by channel, connIndex, from, to. An iterator creates each Connection on
/// the fly and keeps it until the next increment.
class ConnectionList {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Connection;
    using difference_type = std::ptrdiff_t;
    using pointer = const Connection*;
    using reference = const Connection&;

    reference operator*() const { return current_; }
    pointer operator->() const { return &current_; }
    Iterator& operator++();
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.next_ == b.next_ && a.channel_ == b.channel_;
    }

   private:
    friend class ConnectionList;
    Iterator(const ConnectionList& list, int channel) : list_(&list), channel_(channel) {}

    const ConnectionList* list_;
    int channel_;
    std::size_t next_ = 0;  ///< Index of the next group to examine; 0 at the end.
    Connection current_;
  };

  ConnectionList() = default;
  ConnectionList(std::initializer_list<Connection> connections);
  /// Sorts the groups and merges groups with equal keys.
  explicit ConnectionList(std::vector<ConnectionGroup> groups);

  Iterator begin() const;
  Iterator end() const { return {*this, channels_}; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  const std::vector<ConnectionGroup>& groups() const { return groups_; }

  /// Calls visit(ConnectionBundle) for each bundle, in no particular order. Faster than iterating over single channels.
  template <class Visit>
  void each_bundle(Visit&& visit) const {
    for (std::size_t at = 0; at < groups_.size();) visit(bundle_at(at));
  }

 private:
  /// Returns the bundle whose first group has index `at`, and sets `at` to the index after its last group.
  ConnectionBundle bundle_at(std::size_t& at) const;

  std::vector<ConnectionGroup> groups_;  ///< Sorted by key; keys are unique.
  int channels_ = 0;                     ///< The highest channel number plus 1.
  std::size_t size_ = 0;
};

}  // namespace nccl_analyze
