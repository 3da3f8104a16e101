#pragma once
/// The connections of a communicator. NCCL connects a pair of ranks alike on many channels, so that connections which
/// differ only by channel are stored once: memory grows with pairs of ranks, not with channels.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <tuple>
#include <vector>

namespace nccl_analyze {

/// The highest channel that is accepted. NCCL's MAXCHANNELS is 64 and RCCL's 128; a number far above comes from a
/// damaged line.
inline constexpr int max_channel = 255;

/// One connection on one channel, with what both ends printed.
struct Connection {
  int from = -1, to = -1;
  std::int16_t channel = -1;
  std::int16_t device = -1;  ///< NIC index at the sender if the sender printed it, else at the receiver; -1: no NIC.
  int proxy_rank = -1;
  std::uint16_t transport = 0;  ///< Index into Communicator::transports.
  std::uint8_t connection = 0;  ///< connIndex: 0 or 1
  bool gdrdma_send = false, gdrdma_receive = false;
  bool shared = false, read = false;
  bool seen_send = false, seen_receive = false;  ///< Which ends printed it; for P2P and SHM only the sender does.
  bool gdrdma() const { return gdrdma_send || gdrdma_receive; }
};

/// The lines of one rank about connections to one other rank that are equal except for the channel.
struct ConnectionGroup {
  std::uint64_t channels = 0;  ///< Bit i: channel 64·block + i.
  int from = -1, to = -1;
  int proxy_rank = -1;
  std::int16_t device = -1;
  std::uint16_t transport = 0;
  std::uint8_t block = 0;
  std::uint8_t connection = 0;
  bool receive = false;  ///< Printed by the receiver.
  bool gdrdma = false, shared = false, read = false;

  /// All members except the channels. In order of keys the ends of one connection are neighbours, the sender first.
  auto key() const {
    return std::tuple{connection, from, to, transport, block, receive, device, proxy_rank, gdrdma, shared, read};
  }
};

/// The connections from one rank to another that share transport and connIndex; their ends may have printed different
/// channels. In each set of channels, bit i is channel 64·block + i.
struct ConnectionBundle {
  int from = -1, to = -1;
  std::uint16_t transport = 0;
  std::uint8_t connection = 0, block = 0;
  std::uint64_t channels = 0;
  std::uint64_t seen_send = 0, seen_receive = 0;
  std::uint64_t gdrdma_send = 0, gdrdma_receive = 0;

  std::size_t size() const { return static_cast<std::size_t>(std::popcount(channels)); }
};

/// The connections in order of channel, connIndex, from, to. Iteration creates each Connection, which is valid until
/// the iterator moves on.
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

  /// Calls visit(ConnectionBundle) for each bundle, in no particular order. Faster than iteration when single channels
  /// do not matter.
  template <class Visit>
  void each_bundle(Visit&& visit) const {
    for (std::size_t at = 0; at < groups_.size();) visit(bundle_at(at));
  }

 private:
  /// The bundle that begins with group `at`; moves `at` behind the last group of the bundle.
  ConnectionBundle bundle_at(std::size_t& at) const;

  std::vector<ConnectionGroup> groups_;  ///< Sorted by key, no two keys equal.
  int channels_ = 0;                     ///< The highest channel + 1.
  std::size_t size_ = 0;
};

}  // namespace nccl_analyze
