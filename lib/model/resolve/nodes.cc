// Assigns ranks to NCCL's nodes, whose ranks reach each other by P2P or shared memory. NCCL prints the number of nodes,
// and for each rank its local rank and the size of its node, but not which ranks share a node.

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "model/resolve/passes.h"

namespace nccl_analyze::builder {

namespace {

/// Groups of ranks, as a union-find structure over slots. The root of a group is its lowest slot.
class Groups {
 public:
  explicit Groups(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }
  Index root(Index slot) {
    while (parent_[slot] != slot) slot = parent_[slot] = parent_[parent_[slot]];
    return slot;
  }
  void join(Index a, Index b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  Table<Index> parent_;
};

/// Grouping key of a node: host (-1 if nodes may span hosts) and node size.
using Kind = std::pair<Index, int>;

class NodeSearch {
 public:
  NodeSearch(const Model& model, Communicator& comm)
      : model_(model), comm_(comm), ranks_(comm.ranks), groups_(comm.ranks.size()) {}

  void run() {
    if (ranks_.empty() || comm_.inferred || comm_.nranks < 1 || is_doubled()) return;
    if (comm_.nnodes == 1) return state_only_node();
    join_by_connections();
    if (std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& one) { return one.local_ranks > 0; })) {
      find_spans();
      join_by_local_rank();
      if (!all_logged()) join_what_fits();
      state_placed();
    } else if (all_logged()) {
      state_connected();
    }
    number_nodes();
  }

 private:
  bool all_logged() const { return ranks_.size() == static_cast<std::size_t>(comm_.nranks); }
  bool is_doubled() const {
    return std::adjacent_find(ranks_.begin(), ranks_.end(),
                              [](const Rank& a, const Rank& b) { return a.rank == b.rank; }) != ranks_.end();
  }
  const Rank& rank(Index slot) const { return ranks_[slot]; }
  Index slots() const { return static_cast<Index>(ranks_.size()); }
  Index host_of(Index slot) const {
    const Index process = rank(slot).process;
    return process < 0 ? -1 : model_.processes[process].host_index;
  }
  Index slot_of(int number) const {
    if (number < slots() && rank(number).rank == number) return number;
    const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), number,
                                        [](const Rank& one, int wanted) { return one.rank < wanted; });
    return found != ranks_.end() && found->rank == number ? static_cast<Index>(found - ranks_.begin()) : -1;
  }

  void state(const std::vector<Index>& slots, int local_ranks, bool inferred) {
    for (const Index slot : slots) ranks_[slot].node = static_cast<Index>(comm_.nodes.size());
    comm_.nodes.push_back({.number = -1, .local_ranks = local_ranks, .inferred = inferred});
  }

  void state_only_node() {
    std::vector<Index> all(ranks_.size());
    std::iota(all.begin(), all.end(), 0);
    state(all, comm_.nranks, false);
    comm_.nodes.front().number = 0;
  }

  /// Joins ranks that are connected by P2P or shared memory, which exist only within a node.
  void join_by_connections() {
    std::vector<char> local;
    for (const std::string& transport : comm_.transports)
      local.push_back(transport.starts_with("P2P") || transport.starts_with("SHM") ? 1 : 0);
    comm_.connections.each_bundle([&](const ConnectionBundle& bundle) {
      if (local[bundle.transport] == 0) return;
      const Index from = slot_of(bundle.from);
      const Index to = slot_of(bundle.to);
      if (from >= 0 && to >= 0) groups_.join(from, to);
    });
  }

  /// Sets `spans_`. Nodes may span hosts if multi-node NVLink is used, if NCCL_HOSTID is set (which can merge pods), if
  /// a host is unknown, or if local connections cross hosts.
  void find_spans() {
    spans_ = comm_.mnnvl == 1;
    for (Index slot = 0; slot < slots() && !spans_; ++slot) {
      const Index process = rank(slot).process;
      spans_ = host_of(slot) < 0 || model_.processes[process].env.contains("NCCL_HOSTID") ||
               host_of(slot) != host_of(groups_.root(slot));
    }
  }
  Kind kind_of(Index slot) const { return {spans_ ? -1 : host_of(slot), rank(slot).local_ranks}; }

  /// Joins ranks by their local ranks, which increase with the rank within a node. A rank with local rank k belongs to
  /// a node whose highest local rank so far is k - 1; it is joined if there is exactly one such node.
  void join_by_local_rank() {
    std::set<std::tuple<Kind, int, Index>> waiting;  // kind, next missing local rank and root of a group
    Table<std::optional<int>> next(ranks_.size());
    std::vector<std::pair<Index, int>> connected;  // root and local rank of each slot before joining
    for (Index slot = 0; slot < slots(); ++slot) connected.emplace_back(groups_.root(slot), rank(slot).local_rank);
    std::sort(connected.begin(), connected.end());
    for (Index slot = 0; slot < slots(); ++slot) {
      const int local = rank(slot).local_rank;
      Index group = groups_.root(slot);
      if (!next[group] && local > 0) {
        const auto fit = waiting.lower_bound({kind_of(slot), local, -1});
        const auto fits = [&](auto one) {
          return one != waiting.end() && std::get<0>(*one) == kind_of(slot) && std::get<1>(*one) == local;
        };
        if (fits(fit) && !fits(std::next(fit))) {
          const Index open = std::get<2>(*fit);
          groups_.join(open, slot);
          group = open;
        }
      }
      if (next[group]) waiting.erase({kind_of(slot), *next[group], group});
      next[group] = local + 1;
      const bool waits = local + 1 < rank(slot).local_ranks &&
                         !std::binary_search(connected.begin(), connected.end(), std::pair{group, local + 1});
      if (waits) waiting.insert({kind_of(slot), local + 1, group});
    }
  }

  /// Returns the root and the slots of each group, sorted by root.
  std::vector<std::pair<Index, std::vector<Index>>> members() {
    std::vector<std::pair<Index, std::vector<Index>>> result;
    Table<std::size_t> group_of(ranks_.size());  // index in `result` by root; the root is the lowest slot
    for (Index slot = 0; slot < slots(); ++slot) {
      const Index root = groups_.root(slot);
      if (root == slot) {
        group_of[root] = result.size();
        result.emplace_back(root, std::vector<Index>{});
      }
      result[group_of[root]].second.push_back(slot);
    }
    return result;
  }

  bool is_complete(const std::vector<Index>& group) const {
    return static_cast<int>(group.size()) == rank(group.front()).local_ranks;
  }

  /// Whether all slots of the group have the same Kind and their local ranks strictly increase and stay below
  /// local_ranks. The local ranks of a complete group are then 0, 1, 2, …
  bool is_consistent(const std::vector<Index>& group) const {
    int last = -1;
    for (const Index slot : group) {
      if (kind_of(slot) != kind_of(group.front()) || rank(slot).local_rank <= last) return false;
      last = rank(slot).local_rank;
    }
    return last < rank(group.front()).local_ranks;
  }

  /// For each Kind, joins all ranks that are not in a complete node if they can form one node together. Called only if
  /// ranks are missing in the input. Does nothing if nodes may span hosts.
  void join_what_fits() {
    std::map<Kind, std::vector<Index>> left;
    for (const auto& [root, group] : members())
      if (!is_complete(group)) {
        auto& slots = left[kind_of(group.front())];
        slots.insert(slots.end(), group.begin(), group.end());
      }
    for (auto& [kind, slots] : left) {
      std::sort(slots.begin(), slots.end());
      if (spans_ || !is_consistent(slots)) continue;
      for (const Index slot : slots) groups_.join(slots.front(), slot);
    }
  }

  void state_placed() {
    const auto all = members();
    std::map<Kind, int> incomplete;
    for (const auto& [root, group] : all)
      if (!is_complete(group)) ++incomplete[kind_of(group.front())];
    std::size_t stated = 0;
    for (const auto& [root, group] : all) {
      const bool complete = is_complete(group);
      const bool alone = !all_logged() && incomplete[kind_of(group.front())] == 1;
      if (!is_consistent(group) || !(complete || alone)) continue;
      ++stated;
      const int size = rank(group.front()).local_ranks;
      state(group, size, size > 1 && !all_logged());
    }
    const bool contradicted = all_logged() && stated == all.size() && stated != static_cast<std::size_t>(comm_.nnodes);
    if (contradicted || stated > static_cast<std::size_t>(std::max(comm_.nnodes, 0))) take_back();
  }

  void take_back() {
    comm_.nodes.clear();
    for (Rank& one : ranks_) one.node = -1;
  }

  /// Before 2.20.3 NCCL prints nothing about nodes. The ranks of a host form a node if connections join all of them.
  void state_connected() {
    find_spans();
    if (spans_) return;
    const auto all = members();
    std::map<Index, int> groups_of_host;
    for (const auto& [root, group] : all) ++groups_of_host[host_of(root)];
    for (const auto& [root, group] : all)
      if (groups_of_host[host_of(root)] == 1) state(group, static_cast<int>(group.size()), true);
  }

  void number_nodes() {
    const bool every_rank =
        all_logged() && std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& one) { return one.node >= 0; });
    if (!every_rank) return;
    for (std::size_t i = 0; i < comm_.nodes.size(); ++i) comm_.nodes[i].number = static_cast<int>(i);
  }

  const Model& model_;
  Communicator& comm_;
  Table<Rank>& ranks_;
  Groups groups_;
  bool spans_ = false;  ///< Whether nodes may span hosts.
};

}  // namespace

void place_nodes(Model& model) {
  for (Communicator& comm : model.communicators) NodeSearch(model, comm).run();
}

}  // namespace nccl_analyze::builder
