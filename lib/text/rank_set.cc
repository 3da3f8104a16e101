// Formats a set of ranks as ranges.

#include <algorithm>
#include <string>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

std::string rank_set(std::vector<int> ranks) {
  std::erase_if(ranks, [](int rank) { return rank < 0; });
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::string out;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (!out.empty()) out += ',';
    out += std::to_string(ranks[i]);
    if (last > i) out += '-' + std::to_string(ranks[last]);
    i = last + 1;
  }
  return out;
}

}  // namespace nccl_analyze
