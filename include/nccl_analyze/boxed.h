#pragma once
/// An optional that takes one word where it is empty.

#include <compare>
#include <utility>

namespace nccl_analyze {

template <class T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(const T& value) : value_(new T(value)) {}
  Boxed(const Boxed& other) : value_(other ? new T(*other) : nullptr) {}
  Boxed(Boxed&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Boxed& operator=(Boxed other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Boxed() { delete value_; }

  explicit operator bool() const { return value_ != nullptr; }
  bool has_value() const { return value_ != nullptr; }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_; }
  T& operator*() { return *value_; }
  T* operator->() { return value_; }
  /// None is before any.
  friend std::strong_ordering operator<=>(const Boxed& a, const Boxed& b) {
    return a && b ? *a <=> *b : a.has_value() <=> b.has_value();
  }
  friend bool operator==(const Boxed& a, const Boxed& b) { return (a <=> b) == 0; }
  /// Made when it is not there yet.
  T& made() { return value_ != nullptr ? *value_ : emplace(); }
  T& emplace() {
    *this = Boxed(T());
    return *value_;
  }

 private:
  T* value_ = nullptr;
};

}  // namespace nccl_analyze
