#pragma once
/// The graph of a communicator as plain data for a page: hosts and ranks, the transports between them, rings, trees and
/// rails. A communicator of more than `max_drawn_ranks` is shown host by host. Text is as the log has it.

#include <cstddef>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "report/links.h"
#include "report/rails.h"
#include "report/suspicions.h"

namespace nccl_analyze {

/// A rank of the communicator. Of one without a log here only its number is known.
struct GraphRank {
  int number = -1;
  int host = -1;        ///< Index into GraphView::hosts; -1: not known.
  std::string address;  ///< `rank 3 (node-0, GPU 3, pid 17)`
  std::string said_at;  ///< The line that shows it: `worker-0.log:12`; empty without a log.
  std::string state;    ///< As to_string(RankState) has it.
  Suspicion suspicion;
};

struct GraphHost {
  std::string name;
  std::string shape;                      ///< GPUs, NVLink, NICs in words; empty when nothing is known.
  std::vector<std::size_t> ranks;         ///< Indices into GraphView::ranks.
  std::vector<std::string> switch_lines;  ///< describe_switch(); empty in an NVLink domain, whose switches span hosts.
  std::vector<std::string> nics;          ///< Those that its ranks use.
  Index domain = -1;                      ///< Hosts that NVLink joins have the same; -1: none.
  std::size_t kind = 0;                   ///< Index into GraphView::kinds.
  Suspicion suspicion;
};

/// Hosts with the same GPUs, NICs, software, settings and states of their ranks: a page names each kind once.
struct HostKind {
  std::string shape, software, settings, state;  ///< `settings`: those that most hosts do not have.
  std::vector<std::size_t> hosts;                ///< Indices into GraphView::hosts.
  Suspicion suspicion;
};

/// What goes from one place to another, or happens inside one host. Places are ranks, or hosts in a view by hosts.
struct GraphCell {
  std::size_t from = 0, to = 0;  ///< Indices into ranks or hosts.
  const LinkStyle* style = nullptr;
  std::string ways;     ///< `NET/IB/0/GDRDMA ×16`
  ChannelSet channels;  ///< Of the rings, trees and connections that pass here.
};

/// Rings of the same order.
struct GraphRing {
  ChannelSet channels;
  std::vector<int> order;  ///< From the lowest rank on.
  bool complete = false, inferred = false;
};

/// Trees with the same links.
struct GraphTree {
  std::string_view kind;  ///< tree, NVLS tree, CollNet chain
  ChannelSet channels;
  std::vector<std::vector<int>> levels;  ///< Ranks by their distance from a root, each level sorted.
  bool complete = false;
};

struct GraphView {
  Index communicator = -1;
  std::string name;
  int nranks = -1;
  bool by_rank = false;          ///< Few enough that each rank is a place.
  std::vector<GraphRank> ranks;  ///< Sorted by number; ranks without a log only where `by_rank`.
  Table<GraphHost> hosts;        ///< In the order of their lowest rank.
  std::string domain;            ///< describe_domain()
  std::vector<HostKind> kinds;   ///< The most frequent first.
  std::vector<GraphCell> cells;  ///< Sorted by `from`, `to`. Empty when there are too many places.
  std::vector<GraphRing> rings;
  std::vector<GraphTree> trees;
  Rails rails;
  std::vector<std::string> facts;  ///< NVLS heads, NVLink between hosts, the network's own reduction: sentences.
};

/// So many ranks are drawn one by one, and so many hosts against each other.
inline constexpr std::size_t max_drawn_ranks = 64, max_drawn_hosts = 64;

/// The communicators that a page draws: the largest first, one of each size before others of the same, no more than
/// `most`. Those of a single rank, or without a log of any rank, are left out.
std::vector<Index> drawn_communicators(const Model& model, std::size_t most);

GraphView view_of(const Model& model, const Report& report, Index communicator);

}  // namespace nccl_analyze
