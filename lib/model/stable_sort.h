#pragma once
// Stable sorting of large items by their indices. One sort of indices serves all types: std::stable_sort of the items
// themselves is a dozen functions more for each type, which took a sixth of the time of compiling lib/model/resolve.

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "nccl_analyze/containers.h"

namespace nccl_analyze {

/// Returns the indices of `count` items in stable order. `less` compares two items by their indices.
std::vector<Index> stable_order(std::size_t count, const std::function<bool(Index, Index)>& less);

/// Returns the inverse permutation: `order` lists old indices in their new order; the result maps old indices to new
/// ones.
Table<Index> positions(const std::vector<Index>& order);

/// Sorts stably and in place, along the cycles of the permutation, so that no item is copied. `less` compares two items
/// by their indices. Returns the new index of each item.
template <class Items, class Less>
Table<Index> sort_by_index(Items& items, const Less& less) {
  Table<Index> position = positions(stable_order(items.size(), less));
  Table<Index> left = position;
  for (Index i = 0; i < static_cast<Index>(items.size()); ++i)
    while (left[i] != i) {
      const Index to = left[i];
      std::swap(items[static_cast<std::size_t>(i)], items[static_cast<std::size_t>(to)]);
      std::swap(left[i], left[to]);
    }
  return position;
}

/// As sort_by_index; `less` compares two items.
template <class Items, class Less>
Table<Index> sort_stably(Items& items, const Less& less) {
  return sort_by_index(items, [&](Index a, Index b) {
    return less(items[static_cast<std::size_t>(a)], items[static_cast<std::size_t>(b)]);
  });
}

/// Sorts items stably by what `key`, a member or a function of an item, gives.
template <class Items, class Key>
void sort_stably_by(Items& items, const Key& key) {
  sort_stably(items, [&](const auto& a, const auto& b) { return std::invoke(key, a) < std::invoke(key, b); });
}

}  // namespace nccl_analyze
