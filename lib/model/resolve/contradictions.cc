// Finds contradictions in the printed rings and trees. A truncated line may end in a part of a number; a difference
// that can be due to such a truncation is not a contradiction.

#include <bit>
#include <map>
#include <set>

#include "model/resolve/graphs.h"

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_ranks = 16;   // ranks reported per contradiction
constexpr std::size_t max_others = 64;  // edges compared per shared rank

class Contradictions {
 public:
  explicit Contradictions(CommState& comm) : comm_(comm), nranks_(comm.comm.nranks) {}

  void run() {
    // an edge with a nonexistent rank shows that lines are damaged or come from several communicators
    if (nranks_ > 0 && all_exist(comm_.ring_edges.items())) {
      compare(GraphKind::ring, comm_.ring_edges.items(), &Edge::from, &Edge::to);
      compare(GraphKind::ring, comm_.ring_edges.items(), &Edge::to, &Edge::from);
      find_short_rings();
    }
    if (nranks_ > 0 && all_exist(comm_.tree_edges.items())) {
      compare(GraphKind::tree, comm_.tree_edges.items(), &TreeEdge::to, &TreeEdge::from);
      find_unnamed_children();
    }
    for (const auto& [where, ranks] : found_)
      comm_.comm.contradictions.push_back({where.first, where.second, {ranks.begin(), ranks.end()}});
  }

 private:
  template <class E>
  bool all_exist(const std::vector<E>& edges) const {
    return std::all_of(edges.begin(), edges.end(),
                       [&](const Edge& edge) { return edge.from < nranks_ && edge.to < nranks_; });
  }

  /// Whether `part` is `whole` without its last digits.
  static bool is_cut(int part, int whole) {
    if (part <= 0) return false;
    while (whole > part) whole /= 10;
    return whole == part;
  }
  /// Whether the rank number may be a longer number that was truncated.
  bool may_be_cut(int rank) const { return rank > 0 && static_cast<std::int64_t>(rank) * 10 < nranks_; }

  void note(GraphKind kind, std::uint8_t block, std::uint64_t channels, std::initializer_list<int> ranks) {
    for (; channels != 0; channels &= channels - 1) {
      const int channel = block * block_size + std::countr_zero(channels);
      if (channel > comm_.highest_channel) return;
      std::set<int>& disputed = found_[{kind, channel}];
      for (const int rank : ranks)
        if (rank >= 0 && disputed.size() < max_ranks) disputed.insert(rank);
    }
  }

  /// Reports ranks with different neighbours on the same channel. `end` selects the rank, `other` its neighbour.
  template <class E, class End>
  void compare(GraphKind kind, std::vector<E>& edges, End end, End other) {
    std::sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
      return std::tie(a.*end, a.block, a.*other) < std::tie(b.*end, b.block, b.*other);
    });
    for (std::size_t first = 0, last = 0; first < edges.size(); first = last) {
      const int shared = edges[first].*end;
      std::uint64_t seen = 0, twice = 0;
      for (; last < edges.size() && edges[last].*end == shared && edges[last].block == edges[first].block; ++last) {
        twice |= seen & edges[last].channels;
        seen |= edges[last].channels;
      }
      if (twice == 0 || shared < 0 || may_be_cut(shared)) continue;
      last = std::min(last, first + max_others);
      for (std::size_t a = first; a < last; ++a)
        for (std::size_t b = a + 1; b < last; ++b)
          if (!is_cut(edges[a].*other, edges[b].*other))
            note(kind, edges[a].block, edges[a].channels & edges[b].channels,
                 {shared, edges[a].*other, edges[b].*other});
    }
  }

  /// Reports rings in which every rank has a successor, but the walk from rank 0 returns to rank 0 before it has passed
  /// all ranks.
  void find_short_rings() {
    for (const Ring& ring : comm_.comm.rings) {
      if (ring.complete || ring.inferred || ring.order.size() >= static_cast<std::size_t>(nranks_)) continue;
      if (found_.contains({GraphKind::ring, ring.channel})) continue;
      const auto& edges = comm_.ring_edges.items();
      const auto count =
          std::count_if(edges.begin(), edges.end(), [&](const Edge& edge) { return edge.has(ring.channel); });
      if (count != nranks_) continue;
      std::set<int>& disputed = found_[{GraphKind::ring, ring.channel}];
      for (std::size_t i = 0; i < std::min(ring.order.size(), max_ranks); ++i) disputed.insert(ring.order[i]);
    }
  }

  /// Reports ranks that name a parent, if the parent printed its children on the same channel without this rank. Edges
  /// are sorted by child.
  void find_unnamed_children() {
    const auto& edges = comm_.tree_edges.items();
    for (const TreeEdge& edge : edges) {
      const std::uint64_t unnamed = edge.by_child & ~edge.by_parent;
      if (unnamed == 0 || edge.from < 0 || may_be_cut(edge.from)) continue;
      std::uint64_t printed = 0;  // channels on which the parent printed its own links
      for (auto at = std::lower_bound(edges.begin(), edges.end(), std::pair{edge.from, edge.block},
                                      [](const TreeEdge&a, const auto&wanted) {
                                        return std::pair{a.to, a.block} < wanted;
                                      });
           at != edges.end() && at->to == edge.from && at->block == edge.block; ++at)
        printed |= at->by_child;
      note(GraphKind::tree, edge.block, unnamed & printed, {edge.from, edge.to});
    }
  }

  CommState& comm_;
  int nranks_;
  std::map<std::pair<GraphKind, int>, std::set<int>> found_;  ///< Disputed ranks by kind and channel.
};

}  // namespace

void find_contradictions(CommState& comm) { Contradictions{comm}.run(); }

}  // namespace nccl_analyze::builder
