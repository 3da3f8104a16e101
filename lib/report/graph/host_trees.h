#pragma once
/// A tree of ranks as a tree of hosts.

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace nccl_analyze {

/// Ranks of one host that a tree joins without leaving the host.
struct TreeHost {
  int host = -1;           ///< -1: unknown; such a rank stands alone.
  std::vector<int> ranks;  ///< By their distance from the first, which is joined to the host above.
  std::size_t depth = 0;   ///< Number of hosts above.
};

/// Returns the hosts of a tree of [parent, child] links, each directly behind the host above it or behind what hangs
/// below an earlier sibling. Each rank occurs once. In a cycle, which only a damaged log contains, the lowest rank is
/// taken as a root.
std::vector<TreeHost> hosts_of_tree(const std::vector<std::pair<int, int>>& links,
                                    const std::function<int(int rank)>& host_of);

}  // namespace nccl_analyze
