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
  int up = -1;  ///< The next rank up; equal to the number of ranks if the next hop is the network.
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

/// A node of the topology: `GPU/0-1b000`, `NET/0` (up to 2.20.5 without the system).
struct TopologyNode {
  std::string_view type;  ///< GPU, PCI, NVS, CPU, NIC, NET, …
  Hex system;             ///< Node index where NVLink spans hosts.
  Hex id;                 ///< Bus id of a GPU or PCI switch, else a number.
};

/// `NET/0-0 GPU/8 GPU/15 NET/0-0`: nodes separated by blanks.
class NodeList {
 public:
  NodeList() = default;
  explicit NodeList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Moves the next node into `node`; false at the end or at the first one that cannot be read.
  bool next(TopologyNode& node);

 private:
  std::string_view rest_;
};

/// The best path to a node.
struct TopologyPath {
  TopologyNode to;
  int hops = -1;
  double bandwidth = 0;   ///< GB/s
  std::string_view link;  ///< Worst link on it: NVL, PIX, PXB, PHB, SYS, …; a number in 2.5
};

/// `GPU/0-1b000 (0/5000.0/LOC) GPU/0-1c000 (2/160.0/NVL) …`
class PathList {
 public:
  PathList() = default;
  explicit PathList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Moves the next path into `path`; false at the end or at the first one that cannot be read.
  bool next(TopologyPath& path);

 private:
  std::string_view rest_;
};

/// `1/2/-1`: what stands in a node's brackets. GPU: rank. CPU: architecture, vendor, model. PCI: device
/// id. NET: guid, port, bandwidth; 2.24.3+ with CollNet support first.
class PartList {
 public:
  PartList() = default;
  explicit PartList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Moves the next part into `part`; false at the end.
  bool next(std::string_view& part);

 private:
  std::string_view rest_;
};

}  // namespace nccl_analyze
