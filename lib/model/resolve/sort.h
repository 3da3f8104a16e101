#pragma once
// Sorts tables whose items are referred to by index.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "nccl_analyze/containers.h"

namespace nccl_analyze::builder {

/// Returns the inverse permutation: `order` lists old indices in their new order; the result maps old indices to new
/// ones.
inline Table<Index> positions(const std::vector<Index>& order) {
  Table<Index> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<Index>(i);
  return position;
}

/// Sorts stably and in place, along the cycles of the permutation, so that no item is copied. `less` compares two items
/// by their indices. Returns the new index of each item.
template <class T, class Less>
Table<Index> sort_by_index(Table<T>& items, Less less) {
  std::vector<Index> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), less);
  Table<Index> position = positions(order);
  Table<Index> left = position;
  for (Index i = 0; i < static_cast<Index>(items.size()); ++i)
    while (left[i] != i) {
      const Index to = left[i];
      std::swap(items[i], items[to]);
      std::swap(left[i], left[to]);
    }
  return position;
}

template <class T, class Less>
Table<Index> sort_items(Table<T>& items, Less less) {
  return sort_by_index(items, [&](Index a, Index b) { return less(items[a], items[b]); });
}

}  // namespace nccl_analyze::builder
