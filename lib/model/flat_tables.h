#pragma once
// Open-addressing hash tables. They allocate no node per entry, because a job may have a hundred thousand processes,
// and as many ranks in each communicator.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/containers.h"

namespace nccl_analyze::builder {

/// Hashes a number, so that similar numbers get very different hashes.
inline std::size_t spread(std::uint64_t value) {
  value = (value ^ (value >> 32U)) * 0x9E3779B97F4A7C15ULL;
  return static_cast<std::size_t>(value ^ (value >> 29U));
}

/// Packs the last 8 bytes of a text into a number. Shorter texts are packed as a whole.
inline std::uint64_t ends_of(std::string_view text) {
  const auto word = [](const char* at, auto letters) {
    std::memcpy(&letters, at, sizeof letters);
    return std::uint64_t{letters};
  };
  const std::size_t size = text.size();
  if (size >= 8) return word(text.data() + size - 8, std::uint64_t{});
  if (size >= 4) return word(text.data(), std::uint32_t{}) << 32U | word(text.data() + size - 4, std::uint32_t{});
  if (size == 0) return 0;
  return word(text.data(), std::uint8_t{}) << 16U | word(text.data() + size / 2, std::uint8_t{}) << 8U |
         word(text.data() + size - 1, std::uint8_t{});
}

/// Hashes eight bytes at a time, because the same texts are hashed very often.
inline std::size_t hash_of(std::string_view text) {
  std::size_t hash = spread(text.size() + 1);
  for (; text.size() > 8; text.remove_prefix(8)) hash = spread(hash ^ ends_of(text.substr(0, 8)));
  return spread(spread(hash ^ ends_of(text)));  // one spread() is too weak for differences in the last letter
}

/// A hash table of indices into a container of the caller, who also hashes and compares the items.
class IndexTable {
 public:
  /// Returns the stored index for which `same` is true; null if there is none.
  template <class Same>
  Index* find(std::size_t hash, Same same) {
    if (slots_.empty()) return nullptr;
    for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
      if (slots_[at] < 0) return nullptr;
      if (same(slots_[at])) return &slots_[at];
    }
  }
  template <class Same>
  const Index* find(std::size_t hash, Same same) const {
    return const_cast<IndexTable*>(this)->find(hash, std::move(same));
  }

  /// Inserts an item that is not in the table. `hash_of(index)` returns the hash of a stored item, which is needed when
  /// the table grows.
  template <class HashOf>
  void add(Index index, std::size_t hash, HashOf hash_of) {
    if ((count_ + 1) * 4 > slots_.size() * 3) grow(slots_.empty() ? 4 : slots_.size() * 2, hash_of);
    put(index, hash);
    ++count_;
  }

  /// Makes room for so many items in all. Growing step by step hashes each item several times.
  template <class HashOf>
  void reserve(std::size_t items, HashOf hash_of) {
    const std::size_t slots = std::bit_ceil(items + items / 2);
    if (slots > slots_.size()) grow(slots, hash_of);
  }

 private:
  template <class HashOf>
  void grow(std::size_t slots, HashOf hash_of) {
    std::vector<Index> old(slots, -1);
    old.swap(slots_);
    for (const Index known : old)
      if (known >= 0) put(known, hash_of(known));
  }
  std::size_t mask() const { return slots_.size() - 1; }
  void put(Index index, std::size_t hash) {
    std::size_t at = hash & mask();
    while (slots_[at] >= 0) at = (at + 1) & mask();
    slots_[at] = index;
  }

  std::vector<Index> slots_;  ///< The size is a power of two; -1 = empty slot.
  std::size_t count_ = 0;
};

/// Maps 64-bit hashes of keys to values. The keys themselves are not stored.
template <class Value>
class HashMap {
 public:
  bool contains(std::uint64_t hash) const { return find(hash) != nullptr; }
  std::size_t size() const { return entries_.size(); }
  /// Inserts a default value if the key is missing. Insertion may move all other values.
  Value& operator[](std::uint64_t hash) {
    if (const Index* const known = find(hash)) return entries_[*known].second;
    entries_.emplace_back(hash, Value{});
    table_.add(static_cast<Index>(entries_.size() - 1), spread(hash),
               [this](Index index) { return spread(entries_[index].first); });
    return entries_.back().second;
  }

 private:
  const Index* find(std::uint64_t hash) const {
    return table_.find(spread(hash), [&](Index index) { return entries_[index].first == hash; });
  }

  Table<std::pair<std::uint64_t, Value>> entries_;
  IndexTable table_;
};

/// A set of numbers. The highest value of the type cannot be inserted, because it marks empty slots.
template <class Number>
class FlatSet {
 public:
  bool contains(Number number) const { return !slots_.empty() && slots_[place_of(number)] == number; }

  /// Inserts a number. Returns whether it is new.
  bool insert(Number number) {
    if ((count_ + 1) * 4 > slots_.size() * 3) {
      std::vector<Number> old(slots_.empty() ? 4 : slots_.size() * 2, none);
      old.swap(slots_);
      for (const Number known : old)
        if (known != none) slots_[place_of(known)] = known;
    }
    Number& slot = slots_[place_of(number)];
    if (slot == number) return false;
    slot = number;
    ++count_;
    return true;
  }

 private:
  static constexpr Number none = std::numeric_limits<Number>::max();
  /// Returns the slot that holds the number, or the empty slot for it.
  std::size_t place_of(Number number) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = spread(static_cast<std::uint64_t>(number)) & mask;
    while (slots_[at] != none && slots_[at] != number) at = (at + 1) & mask;
    return at;
  }

  std::vector<Number> slots_;
  std::size_t count_ = 0;
};

}  // namespace nccl_analyze::builder
