#pragma once
/// Numbers and lists as NCCL prints them. A list is a view of the printed text, which must outlive it; next() parses
/// one item at a time.

#include <array>
#include <cstdint>
#include <string_view>

#include "nccl_analyze/language.h"

namespace nccl_analyze {

/// A number that NCCL prints in hexadecimal, such as a pointer, hash or operation counter. 0 when absent or `(nil)`.
struct Hex {
  std::uint64_t value = 0;
  friend bool operator==(const Hex&, const Hex&) = default;
};

/// `0 1 2 ...`: ranks separated by blanks. truncated() returns whether NCCL ended the list with `...`.
class RankList {
 public:
  RankList() = default;
  explicit RankList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Stores the next rank in `rank`; returns false at the end.
  bool next(int& rank);
  bool truncated() const { return rest_.ends_with("..."); }

 private:
  std::string_view rest_;
};

/// The neighbours of a rank in the tree of one channel. -1 = none.
struct TreeLink {
  int channel = -1;
  int rank = -1;
  int up = -1;
  int down[3] = {-1, -1, -1};
};

/// The trees of a rank, one item for each channel: `[0] 1/-1/-1->0->-1 [1] …` (2.8.3+). 2.5.6 to 2.7.8 print an up tree
/// and, after `|`, a down tree for each channel; next() stores only the up tree. 2.4 prints the parent first:
/// `[0] -1->0->1/-1/-1`.
class TreeList {
 public:
  TreeList() = default;
  explicit TreeList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Stores the next complete item in `link`; returns false at the end or at a truncated item.
  bool next(TreeLink& link);

 private:
  struct Item {
    std::string_view text;  ///< The item without its channel.
    TreeLink link;
  };

  std::string_view rest_;
  /// Cache of the last two items, newest first: most channels share one of a few trees.
  std::array<Item, 2> last_ = {};
};

/// The neighbours of a rank in the CollNet chain of one channel.
struct ChainLink {
  int channel = -1;
  int down = -1;  ///< -1: the rank is the end of the chain.
  int rank = -1;
  int up = -1;  ///< The next rank upwards; the number of ranks if the next hop is the network.
};

/// The CollNet chains of a rank, one item for each channel: `[0] -1->1->0 [1] …` (2.14.3+).
class ChainList {
 public:
  ChainList() = default;
  explicit ChainList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Stores the next complete item in `link`; returns false at the end or at a truncated item.
  bool next(ChainLink& link);

 private:
  std::string_view rest_;
};

/// One port of a NIC. `index` is the number in `via NET/IB/<index>`; ports that NCCL merged into one device have the
/// same index.
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
  /// Stores the next complete item in `nic`; returns false at the end or at an item that cannot be parsed.
  bool next(Nic& nic);

 private:
  std::string_view rest_;
  int merged_ = -1;  ///< Index of the merged device whose ports are being parsed; -1: none.
};

struct NetworkInterface {
  int index = -1;
  std::string_view name;
  std::string_view address;  ///< `ip<port>` as printed
};

/// `[0]eth0:10.0.0.1<0> [1]eth1:10.0.1.1<0>`: the network interfaces of a process.
class InterfaceList {
 public:
  InterfaceList() = default;
  explicit InterfaceList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Stores the next complete item in `interface`; returns false at the end or at an item that cannot be parsed.
  bool next(NetworkInterface& interface);

 private:
  std::string_view rest_;
};

/// A node of the topology: type, system and id, as in `GPU/0-1b000`; up to 2.20.5 without the system, as in `NET/0`.
struct TopologyNode {
  std::string_view type;  ///< GPU, PCI, NVS, CPU, NIC, NET, …
  Hex system;             ///< Index of the host, if NVLink spans hosts.
  Hex id;                 ///< Bus id of a GPU or PCI switch, else a number.
};

/// `NET/0-0 GPU/8 GPU/15 NET/0-0`: nodes separated by blanks.
class NodeList {
 public:
  NodeList() = default;
  explicit NodeList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Stores the next node in `node`; returns false at the end or at the first node that cannot be parsed.
  bool next(TopologyNode& node);

 private:
  std::string_view rest_;
};

/// The best path from one topology node to another.
struct TopologyPath {
  TopologyNode to;
  int hops = -1;
  double bandwidth = 0;   ///< GB/s
  std::string_view link;  ///< The worst link on the path: NVL, PIX, PXB, PHB, SYS, …; a number in 2.5.
};

/// `GPU/0-1b000 (0/5000.0/LOC) GPU/0-1c000 (2/160.0/NVL) …`: the paths from a node to others.
class PathList {
 public:
  PathList() = default;
  explicit PathList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Stores the next path in `path`; returns false at the end or at the first path that cannot be parsed.
  bool next(TopologyPath& path);

 private:
  std::string_view rest_;
};

/// `1/2/-1`: the parenthesised numbers after a node. GPU: rank. CPU: architecture, vendor, model. PCI: device id. NET:
/// CollNet support (2.24.3+), guid, port, bandwidth.
class PartList {
 public:
  PartList() = default;
  explicit PartList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Stores the next part in `part`; returns false at the end.
  bool next(std::string_view& part);

 private:
  std::string_view rest_;
};

}  // namespace nccl_analyze
