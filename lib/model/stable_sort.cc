#include "model/stable_sort.h"

#include <algorithm>
#include <numeric>

namespace nccl_analyze {

std::vector<Index> stable_order(std::size_t count, const std::function<bool(Index, Index)>& less) {
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), less);
  return order;
}

Table<Index> positions(const std::vector<Index>& order) {
  Table<Index> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<Index>(i);
  return position;
}

}  // namespace nccl_analyze
