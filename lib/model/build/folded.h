#pragma once
// Merges facts that NCCL prints once per channel.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/flat_tables.h"
#include "model/sort_key.h"

namespace nccl_analyze::builder {

template <class T>
void take_channels(T& into, const T& from) {
  into.channels |= from.channels;
}

/// A list that merges ("folds") items that differ only in their channels. It folds whenever it has doubled in size, so
/// that repeated items cost no memory. T needs a bit set of channels as its member `channels`, and a function
/// sort_key(T) that returns all other members. If the lines of many ranks alternate, T also needs `hash()` of its key:
/// equal items are then found however many others stand between them.
template <class T>
class Folded {
 public:
  void add(const T& item) {
    if (T* const known = find(item)) return take_channels(*known, item);
    items_.push_back(item);
    if (items_.size() >= next_) fold();
  }
  /// Adds an item without looking for an equal one, which fold() finds: faster for items that seldom repeat.
  void append(const T& item) {
    items_.push_back(item);
    if (items_.size() >= next_) fold();
  }
  void fold() {
    std::sort(items_.begin(), items_.end(), [](const T& a, const T& b) { return sort_key(a) < sort_key(b); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (kept > 0 && sort_key(items_[kept - 1]) == sort_key(items_[i]))
        take_channels(items_[kept - 1], items_[i]);
      else
        items_[kept++] = items_[i];
    }
    items_.resize(kept);
    next_ = std::max<std::size_t>(1024, kept * 2);
    index_ = {};
    indexed_ = 0;
  }
  /// Takes the memory of another list, which becomes empty as this one is.
  void take_memory(Folded& other) {
    items_ = std::move(other.items_);
    items_.clear();
    other = {};
  }
  /// Reserves capacity for `more` further items, and folds none of them before they are all there.
  void reserve(std::size_t more) {
    items_.reserve(items_.size() + more);
    next_ = std::max(next_, items_.size() + more + 1);
  }
  std::vector<T>& items() { return items_; }
  const std::vector<T>& items() const { return items_; }

 private:
  static constexpr std::size_t few = 16;
  static constexpr bool is_hashed = requires(const T& item) { item.hash(); };

  /// Returns an item with the same key; null if there is none, or none among the last ones if T has no hash.
  T* find(const T& item) {
    if constexpr (is_hashed)
      if (items_.size() > few) return find_indexed(item);
    const auto recent = static_cast<std::ptrdiff_t>(std::min(items_.size(), few));
    const auto key = sort_key(item);
    for (auto at = items_.rbegin(); at != items_.rbegin() + recent; ++at)
      if (sort_key(*at) == key) return &*at;
    return nullptr;
  }
  T* find_indexed(const T& item) {
    const auto at = [this](Index index) -> T& { return items_[static_cast<std::size_t>(index)]; };
    for (; indexed_ < items_.size(); ++indexed_)
      index_.add(static_cast<Index>(indexed_), items_[indexed_].hash(), [&](Index index) { return at(index).hash(); });
    const Index* const known =
        index_.find(item.hash(), [&](Index index) { return sort_key(at(index)) == sort_key(item); });
    return known == nullptr ? nullptr : &at(*known);
  }

  std::vector<T> items_;
  IndexTable index_;  ///< Of the first `indexed_` items, by their hashes.
  std::size_t indexed_ = 0;
  std::size_t next_ = 1024;
};

inline constexpr int block_size = 64;

/// Returns the bit of a channel in the bit set of its block. The number of that block is block_of().
inline std::uint64_t channel_bit(int channel) {
  return std::uint64_t{1} << (static_cast<unsigned>(channel) % block_size);
}
inline std::uint8_t block_of(int channel) { return static_cast<std::uint8_t>(channel / block_size); }

}  // namespace nccl_analyze::builder
