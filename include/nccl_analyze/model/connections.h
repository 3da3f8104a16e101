#pragma once
/// The connections of a communicator. NCCL connects a pair of ranks on many channels alike, so that what differs by
/// channel alone is kept once: memory follows pairs of ranks, not channels.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <tuple>
#include <vector>

namespace nccl_analyze {

/// Channels count up to here. NCCL's MAXCHANNELS is 64, RCCL's 128: anything far above is a damaged line.
inline constexpr int max_channel = 255;

/// One connection of a channel, both ends merged.
struct Connection {
  int from = -1, to = -1;
  std::int16_t channel = -1;
  std::int16_t device = -1;  ///< NIC index of the sender when it printed, else of the receiver; -1 without a NIC
  int proxy_rank = -1;
  std::uint16_t transport = 0;  ///< Index into Communicator::transports.
  std::uint8_t connection = 0;  ///< connIndex: 0 or 1
  bool gdrdma_send = false, gdrdma_receive = false;
  bool shared = false, read = false;
  bool seen_send = false, seen_receive = false;  ///< P2P and SHM are printed by the sender alone.
  bool gdrdma() const { return gdrdma_send || gdrdma_receive; }
};

/// What one rank printed of its connections to one other: equal but for the channel.
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

  /// All but the channels. The ends of one connection stand together, the sender's first.
  auto key() const {
    return std::tuple{connection, from, to, transport, block, receive, device, proxy_rank, gdrdma, shared, read};
  }
};

/// The connections from one rank to one other that differ by channel and in what their ends say. All sets are of
/// channels: bit i is channel 64·block + i.
struct ConnectionBundle {
  int from = -1, to = -1;
  std::uint16_t transport = 0;
  std::uint8_t connection = 0, block = 0;
  std::uint64_t channels = 0;
  std::uint64_t seen_send = 0, seen_receive = 0;
  std::uint64_t gdrdma_send = 0, gdrdma_receive = 0;

  std::size_t size() const { return static_cast<std::size_t>(std::popcount(channels)); }
};

/// The connections in the order channel, connection, from, to. Iterating makes each Connection when it is asked for.
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
    std::size_t next_ = 0;  ///< Group to look at next; 0 at the end.
    Connection current_;
  };

  ConnectionList() = default;
  ConnectionList(std::initializer_list<Connection> connections);
  /// Sorts and folds the groups.
  explicit ConnectionList(std::vector<ConnectionGroup> groups);

  Iterator begin() const;
  Iterator end() const { return {*this, channels_}; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  const std::vector<ConnectionGroup>& groups() const { return groups_; }

  /// visit(ConnectionBundle) for each, in no order to rely on: quicker than each connection where channels do not
  /// matter.
  template <class Visit>
  void each_bundle(Visit&& visit) const {
    for (std::size_t at = 0; at < groups_.size();) visit(bundle_at(at));
  }

 private:
  /// Of the groups from `at` on, which moves behind them.
  ConnectionBundle bundle_at(std::size_t& at) const;

  std::vector<ConnectionGroup> groups_;  ///< Sorted by key, no two alike.
  int channels_ = 0;                     ///< The highest channel and one.
  std::size_t size_ = 0;
};

}  // namespace nccl_analyze
