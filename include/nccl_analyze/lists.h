#pragma once
/// Numbers and lists as NCCL prints them. The lists are views: they read the text that they were made of when they are
/// asked for the next item, and live no longer than it.

#include <array>
#include <cstdint>
#include <string_view>

namespace nccl_analyze {

/// A number that NCCL prints in hexadecimal: pointers, hashes, operation counters. 0 when absent or `(nil)`.
struct Hex {
  std::uint64_t value = 0;
  friend bool operator==(const Hex&, const Hex&) = default;
};

/// `0  1  2 ...`: ranks separated by blanks; `truncated()` when NCCL cut the list with `...`.
class RankList {
 public:
  RankList() = default;
  explicit RankList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Moves the next rank into `rank`; false at the end.
  bool next(int& rank);
  bool truncated() const { return rest_.ends_with("..."); }

 private:
  std::string_view rest_;
};

/// One channel's tree as a rank sees it. -1 = none.
struct TreeLink {
  int channel = -1;
  int rank = -1;
  int up = -1;
  int down[3] = {-1, -1, -1};
};

/// The trees of a rank, one item a channel: `[0] 1/-1/-1->0->-1 [1] …` (2.8.3+). 2.5.6 to 2.7.8 print a second tree
/// for the way down after `|`; next() reads the first, which the way up uses. 2.4 prints `[0] -1->0->1/-1/-1`: up
/// first.
class TreeList {
 public:
  TreeList() = default;
  explicit TreeList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Moves the next whole item into `link`; false at the end or at the first item that is cut.
  bool next(TreeLink& link);

 private:
  struct Item {
    std::string_view text;  ///< Without the channel.
    TreeLink link;
  };

  std::string_view rest_;
  std::array<Item, 2> last_ = {};  ///< The newer first: NCCL builds few trees, each for many channels.
};

/// A rank's place in a channel's CollNet chain.
struct ChainLink {
  int channel = -1;
  int down = -1;  ///< -1: the chain ends here.
  int rank = -1;
  int up = -1;  ///< The number of ranks: the network itself.
};

/// The CollNet chains of a rank, one item a channel: `[0] -1->1->0 [1] …` (2.14.3+).
class ChainList {
 public:
  ChainList() = default;
  explicit ChainList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Moves the next whole item into `link`; false at the end or at the first item that is cut.
  bool next(ChainLink& link);

 private:
  std::string_view rest_;
};

/// One port of a NIC as NCCL lists it. `index` is the one that `via NET/IB/<index>` names: ports that NCCL merged share
/// it.
struct Nic {
  int index = -1;
  std::string_view device;
  int port = -1;
  std::string_view link;      ///< IB or RoCE
  int rail = -1, plane = -1;  ///< 2.30.7+
};

/// `[0]mlx5_0:1/IB [1]={[0] mlx5_1:1/IB,[1] mlx5_2:1/IB} [RO]`: the InfiniBand and RoCE ports of a process.
class NicList {
 public:
  NicList() = default;
  explicit NicList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Moves the next whole item into `nic`; false at the end or at the first item that cannot be read.
  bool next(Nic& nic);

 private:
  std::string_view rest_;
  int merged_ = -1;  ///< The merged device whose ports stand here.
};

struct NetworkInterface {
  int index = -1;
  std::string_view name;
  std::string_view address;  ///< `ip<port>` as printed
};

/// `[0]eth0:10.0.0.1<0> [1]eth1:10.0.1.1<0>`
class InterfaceList {
 public:
  InterfaceList() = default;
  explicit InterfaceList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Moves the next whole item into `interface`; false at the end or at the first item that cannot be read.
  bool next(NetworkInterface& interface);

 private:
  std::string_view rest_;
};

}  // namespace nccl_analyze
