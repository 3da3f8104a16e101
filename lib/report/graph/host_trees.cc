// Walks a tree depth first with a stack of its own, as a chain of ranks may be as long as the job is large.

#include "report/graph/host_trees.h"

#include <map>
#include <set>

namespace nccl_analyze {
namespace {

class TreeWalk {
 public:
  TreeWalk(const std::vector<std::pair<int, int>>& links, const std::function<int(int)>& host_of) : host_of_(host_of) {
    for (const auto& [parent, child] : links) {
      children_[parent].push_back(child);
      unplaced_.insert({parent, child});
    }
    std::set<int> roots = unplaced_;
    for (const auto& [parent, child] : links) roots.erase(child);
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) open_.push_back({*root, 0});
  }

  std::vector<TreeHost> walk() {
    std::vector<TreeHost> hosts;
    while (!unplaced_.empty()) {
      const auto [rank, depth] = open_.empty() ? Open{*unplaced_.begin(), 0} : open_.back();
      if (!open_.empty()) open_.pop_back();
      if (unplaced_.contains(rank)) hosts.push_back(host_at(rank, depth));
    }
    return hosts;
  }

 private:
  struct Open {
    int rank;
    std::size_t depth;
  };

  TreeHost host_at(int first, std::size_t depth) {
    TreeHost made{.host = host_of_(first), .ranks = {first}, .depth = depth};
    unplaced_.erase(first);
    std::vector<int> below;
    for (std::size_t i = 0; i < made.ranks.size(); ++i) {
      const auto found = children_.find(made.ranks[i]);
      if (found == children_.end()) continue;
      for (const int child : found->second) {
        if (made.host < 0 || host_of_(child) != made.host)
          below.push_back(child);
        else if (unplaced_.erase(child) > 0)
          made.ranks.push_back(child);
      }
    }
    for (auto child = below.rbegin(); child != below.rend(); ++child) open_.push_back({*child, depth + 1});
    return made;
  }

  const std::function<int(int)>& host_of_;
  std::map<int, std::vector<int>> children_;
  std::set<int> unplaced_;
  std::vector<Open> open_;
};

}  // namespace

std::vector<TreeHost> hosts_of_tree(const std::vector<std::pair<int, int>>& links,
                                    const std::function<int(int rank)>& host_of) {
  return TreeWalk(links, host_of).walk();
}

}  // namespace nccl_analyze
