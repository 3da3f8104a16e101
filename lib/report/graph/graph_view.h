#pragma once
/// The graph of a communicator as plain data for the HTML page: hosts and ranks, the transports between them, rings,
/// trees and rails. A communicator of more than `max_drawn_ranks` ranks, or of unknown size, is shown host by host.
/// Strings are not escaped.

#include <cstddef>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "report/graph/host_trees.h"
#include "report/graph/links.h"
#include "report/graph/rails.h"
#include "report/sentences/suspicions.h"

namespace nccl_analyze {

/// A rank of the communicator. A rank without a log in this input has only a number and an address.
struct GraphRank {
  int number = -1;
  int host = -1;        ///< Index into GraphView::hosts; -1 if unknown.
  std::string address;  ///< As in a finding: `rank 3 (node-0, GPU 3, pid 17)`.
  std::string said_at;  ///< Place of a line about the rank: `worker-0.log:12`; empty without one.
  std::string state;    ///< to_string(RankState); empty without a log.
  Suspicion suspicion;
};

struct GraphHost {
  std::string name;
  std::string label;                      ///< For a cell: the number in which the names differ, else the place, from 1.
  std::string shape;                      ///< NVLink, NICs and GPUDirect RDMA in words; empty if unknown.
  std::vector<std::size_t> ranks;         ///< Indices into GraphView::ranks.
  std::vector<std::string> switch_lines;  ///< Result of describe_switch(); empty with MNNVL, where switches span hosts.
  std::vector<std::string> nics;          ///< Names of the NICs that the host's GPUs use.
  Index domain = -1;                      ///< Index of the NVLink domain; -1 without MNNVL.
  std::size_t kind = 0;                   ///< Index into GraphView::kinds.
  Suspicion suspicion;
};

/// Hosts with equal numbers of ranks, NVLink, NICs, software, settings, rank states and suspicions. The page describes
/// each kind once.
struct HostKind {
  std::string shape, software, settings, state;  ///< `settings` lists only unusual values of variables.
  std::vector<std::size_t> hosts;                ///< Indices into GraphView::hosts.
  Suspicion suspicion;
};

/// Traffic from one place to another, or inside one place. A place is a rank, or a host if GraphView::by_rank is false.
struct GraphCell {
  std::size_t from = 0, to = 0;  ///< Indices into ranks or hosts.
  const LinkStyle* style = nullptr;
  std::string ways;     ///< Transports with their counts: `NET/IB/0/GDRDMA ×16`.
  ChannelSet channels;  ///< Channels of the rings and connections between the places.
};

/// All rings with the same rank order.
struct GraphRing {
  ChannelSet channels;
  std::vector<int> order;  ///< Begins at the lowest rank if the ring is complete.
  bool complete = false, inferred = false;
};

/// All trees with the same links.
struct GraphTree {
  std::string_view kind;  ///< `tree`, `NVLS tree` or `CollNet chain`.
  ChannelSet channels;
  std::vector<TreeHost> hosts;  ///< Result of hosts_of_tree(); a host is an index into GraphView::hosts.
  std::size_t levels = 0;       ///< Number of ranks from the root to the farthest leaf.
  bool complete = false;
};

struct GraphView {
  Index communicator = -1;
  std::string name;
  bool by_rank = false;            ///< True if the communicator is small enough to show each rank.
  std::vector<GraphRank> ranks;    ///< Sorted by number; includes ranks without a log if `by_rank`.
  Table<GraphHost> hosts;          ///< Sorted by the lowest rank of each host.
  bool places_are_labels = false;  ///< True if hosts are labelled by their place, as their names differ in more.
  std::size_t absent_hosts = 0;    ///< Number of nodes of which no line is in this input; 0 if unknown.
  std::string domain;              ///< Result of describe_domain().
  std::vector<HostKind> kinds;     ///< Sorted by number of hosts, the most frequent kind first.
  std::vector<GraphCell> cells;    ///< Sorted by `from` and `to`; empty for more than `max_drawn_hosts` hosts.
  std::vector<GraphRing> rings;
  std::vector<GraphTree> trees;
  Rails rails;
  std::vector<std::string> facts;  ///< Sentences on NVLS, CollNet and NVLink between hosts.
};

/// Limit on the ranks of a communicator that is shown rank by rank, and on the hosts of a traffic matrix.
inline constexpr std::size_t max_drawn_ranks = 64, max_drawn_hosts = 64;

/// Chooses up to `most` communicators for the page: first one communicator of each size (numbers of ranks and nodes),
/// then the others. Each of these two groups is sorted by size, the largest first. Leaves out communicators with a
/// single rank, of unknown size, or without a log of any rank.
std::vector<Index> drawn_communicators(const Model& model, std::size_t most);

/// Returns the rank with this number; null if the view does not contain it.
const GraphRank* find_rank(const GraphView& view, int number);

GraphView view_of(const Model& model, const Report& report, Index communicator);

}  // namespace nccl_analyze
