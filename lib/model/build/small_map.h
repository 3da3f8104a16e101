#pragma once
// A map that is a short list while it is small. There may be a hundred thousand processes, and most of them have few
// threads and communicators.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
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
    for (const std::span<One> part : {first(), std::span<One>(more_)})
      for (One& one : part)
        if (one.key == key) return &one.value;
    return nullptr;
  }
  const Value* find(const Key& key) const { return const_cast<SmallMap*>(this)->find(key); }
  bool contains(const Key& key) const { return find(key) != nullptr; }
  std::size_t size() const { return many_ ? many_->size() : count_ + more_.size(); }

  /// Inserts a default value if the key is missing. Insertion may move all other values.
  Value& operator[](const Key& key) {
    if (Value* const known = find(key)) return *known;
    if (!many_ && size() == max_few) grow();
    if (many_) return (*many_)[key];
    if (count_ == first_.size()) return more_.emplace_back(One{key, Value{}}).value;
    first_[count_] = {key, Value{}};
    return first_[count_++].value;
  }

  void erase(const Key& key) {
    if (many_) return void(many_->erase(key));
    const auto is_meant = [&](const One& one) { return one.key == key; };
    count_ =
        static_cast<std::uint32_t>(std::remove_if(first_.begin(), first_.begin() + count_, is_meant) - first_.begin());
    std::erase_if(more_, is_meant);
    for (; count_ < first_.size() && !more_.empty(); more_.erase(more_.begin())) first_[count_++] = more_.front();
  }

  /// Calls `visit(value)` for each value: while there are few, in the order in which they were inserted.
  template <class Visit>
  void each(Visit&& visit) {
    for (const std::span<One> part : {first(), std::span<One>(more_)})
      for (One& one : part) visit(one.value);
    if (many_)
      for (auto& one : *many_) visit(one.second);
  }

 private:
  struct One {
    Key key{};
    Value value{};
  };
  static constexpr std::size_t max_few = 16;

  std::span<One> first() { return std::span(first_).first(count_); }
  void grow() {
    many_.emplace();
    for (const std::span<One> part : {first(), std::span<One>(more_)})
      for (One& one : part) many_->emplace(one.key, std::move(one.value));
    count_ = 0;
    more_ = {};
  }

  /// The first ones need no memory of their own: a piece for each process takes time to allocate, and when the maps are
  /// freed, such pieces leave holes between others that stay.
  std::array<One, 4> first_;
  std::uint32_t count_ = 0;  ///< Of `first_`.
  std::vector<One> more_;    ///< Further ones; empty unless `first_` is full.
  Boxed<std::unordered_map<Key, Value>> many_;
};

}  // namespace nccl_analyze::builder
