// Facts of communicators: channels, algorithms, rings and trees, and how ranks initialised.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compare/collector.h"
#include "queries/ranks.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

void add_count(Topic topic, std::string_view name, int count, LineRef at, FactCollector& into) {
  if (count >= 0) into.add(topic, name, std::to_string(count), at);
}

/// Counts the communicators by size, the largest first: `1 of 16 ranks, 4 of 8 ranks`. Unknown sizes are left out.
std::string sizes_text(const Model& model) {
  std::map<int, std::size_t, std::greater<>> counts;
  for (const Communicator& comm : model.communicators)
    if (comm.nranks > 0) ++counts[comm.nranks];
  return joined_by(counts, [](const auto& one) { return concat(one.second, " of ", count_text(one.first, "rank")); });
}

std::string algorithms_text(const Rank& rank) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < algorithms; ++i)
    if (rank.has(static_cast<Algorithm>(i))) list.emplace_back(to_string(static_cast<Algorithm>(i)));
  return list_text(list, algorithms);
}

/// Describes how far the initialisation of the rank came; empty if the log does not show that it began, completed or
/// failed.
std::string start_text(const Rank& rank) {
  const bool done = rank.phase == InitPhase::complete;
  if (done && (rank.state == RankState::failed || rank.state == RankState::aborted))
    return concat("complete, later ", to_string(rank.state));
  if (done) return "complete";
  const bool failed = rank.state == RankState::failed || rank.state == RankState::aborted;
  if (!rank.start_seen && !failed) return {};
  return concat(failed ? to_string(rank.state) : "not complete", ", phase ", to_string(rank.phase));
}

/// Returns the distinct orders of the rings, each rotated to begin at its lowest rank. Empty if any ring is incomplete.
std::set<std::vector<int>> ring_orders(const Communicator& comm) {
  std::set<std::vector<int>> orders;
  for (const Ring& ring : comm.rings) {
    if (!ring.complete || ring.order.empty()) return {};
    std::vector<int> order(ring.order.begin(), ring.order.end());
    std::rotate(order.begin(), std::min_element(order.begin(), order.end()), order.end());
    orders.insert(std::move(order));
  }
  return orders;
}

std::string order_text(const std::vector<int>& order) {
  std::string text;
  for (const int rank : order) text.append(std::to_string(rank)).append("\u2192");
  return text.append(std::to_string(order.front()));
}

/// Counts the steps of a ring that lead to another node: `2`, or `2 to 4` if this differs between ring orders. Empty if
/// there is no order or the node of a rank is unknown.
std::string crossings_text(const Communicator& comm, const std::set<std::vector<int>>& orders) {
  std::map<int, Index> node_of;
  for (const Rank& rank : comm.ranks) node_of[rank.rank] = rank.node;
  std::size_t least = SIZE_MAX, most = 0;
  for (const std::vector<int>& order : orders) {
    std::size_t crossings = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto from = node_of.find(order[i]), to = node_of.find(order[(i + 1) % order.size()]);
      if (from == node_of.end() || to == node_of.end() || from->second < 0 || to->second < 0) return {};
      crossings += from->second == to->second ? 0 : 1;
    }
    least = std::min(least, crossings);
    most = std::max(most, crossings);
  }
  if (orders.empty()) return {};
  return least == most ? std::to_string(least) : concat(least, " to ", most);
}

/// Lists the links of each distinct tree. Empty if any tree is incomplete.
std::string trees_text(const std::vector<Tree>& trees) {
  std::set<std::string> texts;
  for (const Tree& tree : trees) {
    if (!tree.complete) return {};
    texts.insert(joined_by(
        tree.links, [](const auto& link) { return concat(link.first, "\u2192", link.second); }, " "));
  }
  return joined(texts, "; ");
}

void add_graphs(const Communicator& comm, FactCollector& into) {
  LineRef rings_at, trees_at;
  for (const Rank& rank : comm.ranks) {
    if (rings_at.line == 0) rings_at = rank.rings_at;
    if (trees_at.line == 0) trees_at = rank.trees_at;
  }
  const std::set<std::vector<int>> orders = ring_orders(comm);
  into.add(Topic::graphs, "rings", joined_by(orders, order_text, "; "), rings_at);
  into.add(Topic::graphs, "steps of a ring between hosts", crossings_text(comm, orders), rings_at);
  into.add(Topic::graphs, "trees", trees_text(comm.trees), trees_at);
  into.add(Topic::graphs, "NVLS trees", trees_text(comm.nvls_trees), trees_at);
  into.add(Topic::graphs, "CollNet chains", trees_text(comm.collnet_chains), trees_at);
  const auto ranks_of = [](const NvlsHead& head) { return rank_set(head.ranks); };
  into.add(Topic::graphs, "NVLS heads", joined_by(comm.nvls_heads, ranks_of, "; "), trees_at);
}

}  // namespace

void add_communicator_facts(const RunView& run, FactCollector& into) {
  into.add(Topic::communicators, "communicators", sizes_text(run.model));
  const Communicator* const comm = run.main_communicator();
  if (comm == nullptr) return;
  add_count(Topic::channels, "channels", comm->channels, comm->first, into);
  add_count(Topic::channels, "NVLS channels", comm->nvls_channels, comm->first, into);
  add_count(Topic::channels, "p2p channels", comm->p2p_channels, comm->first, into);
  add_count(Topic::channels, "p2p channels for each peer", comm->p2p_channels_per_peer, comm->first, into);
  for (const Rank& rank : comm->ranks) {
    if (rank.rank < 0) continue;
    if (comm->channel_counts.size() > 1 && rank.channels >= 0)
      into.add(Topic::channels, "channels of a rank", {rank.rank}, std::to_string(rank.channels));
    into.add(Topic::algorithm, "connected", {rank.rank}, algorithms_text(rank), rank.ended_at);
    into.add(Topic::start, "initialisation", {rank.rank}, start_text(rank),
             rank.ended_at.line != 0 ? rank.ended_at : rank.started_at);
  }
  add_graphs(*comm, into);
}

std::vector<Measure> init_times(const Communicator& communicator) {
  struct Part {
    std::string_view name;
    double InitSeconds::*seconds;
  };
  constexpr std::array<Part, 9> parts{{{"initialisation", &InitSeconds::total},
                                       {"kernels", &InitSeconds::kernels},
                                       {"alloc", &InitSeconds::alloc},
                                       {"bootstrap", &InitSeconds::bootstrap},
                                       {"allgathers", &InitSeconds::allgathers},
                                       {"topo", &InitSeconds::topo},
                                       {"graphs", &InitSeconds::graphs},
                                       {"connections", &InitSeconds::connections},
                                       {"rest", &InitSeconds::rest}}};
  std::vector<Measure> measures;
  for (const Part& part : parts) {
    Measure slowest{Topic::init_time, std::string{part.name}, -1, "s", -1, {}};
    for (const Rank& rank : communicator.ranks)
      if (rank.init_seconds && (*rank.init_seconds).*part.seconds > slowest.value)
        slowest = {Topic::init_time, std::string{part.name}, (*rank.init_seconds).*part.seconds, "s",
                   rank.rank,        rank.init_seconds->at};
    if (slowest.rank >= 0) measures.push_back(std::move(slowest));
  }
  Measure stamped{Topic::init_time, "initialisation", -1, "s", -1, {}};
  for (const Rank& rank : communicator.ranks)
    if (rank.stamped_seconds && rank.stamped_seconds->to_complete > stamped.value)
      stamped = {Topic::init_time, "initialisation by timestamps", rank.stamped_seconds->to_complete, "s",
                 rank.rank,        rank.stamped_seconds->at};
  if (stamped.rank >= 0) measures.push_back(std::move(stamped));
  return measures;
}

}  // namespace nccl_analyze
