#pragma once
// A map that is a short vector while it is small. There may be a hundred thousand processes, and most of them have few
// threads and communicators.

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

template <class Key, class Value>
class SmallMap {
 public:
  Value* find(const Key& key) {
    if (many_) {
      const auto found = many_->find(key);
      return found == many_->end() ? nullptr : &found->second;
    }
    const auto found = std::find_if(few_.begin(), few_.end(), [&](const auto& one) { return one.first == key; });
    return found == few_.end() ? nullptr : &found->second;
  }
  const Value* find(const Key& key) const { return const_cast<SmallMap*>(this)->find(key); }
  bool contains(const Key& key) const { return find(key) != nullptr; }
  std::size_t size() const { return many_ ? many_->size() : few_.size(); }

  /// Inserts a default value if the key is missing. Insertion may move all other values.
  Value& operator[](const Key& key) {
    if (Value* const known = find(key)) return *known;
    if (!many_ && few_.size() == max_few) grow();
    if (many_) return (*many_)[key];
    // Growing by one element saves memory, because there are many such maps and most of them stay small.
    if (few_.size() < 4) few_.reserve(few_.size() + 1);
    return few_.emplace_back(key, Value{}).second;
  }

  void erase(const Key& key) {
    if (many_)
      many_->erase(key);
    else
      std::erase_if(few_, [&](const auto& one) { return one.first == key; });
  }

  template <class Visit>
  void each(Visit&& visit) {
    for (auto& one : few_) visit(one.second);
    if (many_)
      for (auto& one : *many_) visit(one.second);
  }

 private:
  static constexpr std::size_t max_few = 16;
  void grow() {
    many_.emplace();
    for (auto& one : few_) many_->emplace(one.first, std::move(one.second));
    few_ = std::vector<std::pair<Key, Value>>();
  }

  std::vector<std::pair<Key, Value>> few_;
  Boxed<std::unordered_map<Key, Value>> many_;
};

}  // namespace nccl_analyze::builder
