#pragma once
/// The containers of the model. The model of a job with 16,384 ranks holds millions of texts, lists and optional
/// values. Therefore an empty Text, SharedList or Boxed takes one word, and copies of a Text or SharedList share
/// storage. <memory> is not included because it takes long to compile.

#include <atomic>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/language.h"

namespace nccl_analyze {

/// Index into a Table; -1 = unknown.
using Index = std::int32_t;

/// A vector that also takes an Index as subscript. Subscripts are not checked; an Index must not be -1.
template <class T>
class Table : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  Table() = default;
  Table(std::vector<T> items) : std::vector<T>(std::move(items)) {}
  using std::vector<T>::operator[];
  typename std::vector<T>::reference operator[](Index index) { return (*this)[static_cast<std::size_t>(index)]; }
  typename std::vector<T>::const_reference operator[](Index index) const {
    return (*this)[static_cast<std::size_t>(index)];
  }
  /// Returns the element; null if the index is -1 or beyond the end.
  const T* find(Index index) const {
    return index >= 0 && static_cast<std::size_t>(index) < this->size() ? this->data() + index : nullptr;
  }
};

/// An optional value on the heap. An empty Boxed takes one word.
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
  /// An empty Boxed orders before any value.
  friend std::strong_ordering operator<=>(const Boxed& a, const Boxed& b) {
    return a && b ? *a <=> *b : a.has_value() <=> b.has_value();
  }
  friend bool operator==(const Boxed& a, const Boxed& b) { return (a <=> b) == 0; }
  /// Returns the value, which is first default-constructed if the Boxed is empty.
  T& made() { return value_ != nullptr ? *value_ : emplace(); }
  T& emplace() {
    *this = Boxed(T());
    return *value_;
  }

 private:
  T* value_ = nullptr;
};

/// A reference-counted handle to an immutable value, one word in size. Copies share the value and may belong to
/// different threads.
template <class T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(T value) : counted_(new Counted{std::move(value)}) {}
  Shared(const Shared& other) noexcept : counted_(other.counted_) {
    if (counted_ != nullptr) counted_->copies.fetch_add(1, std::memory_order_relaxed);
  }
  Shared(Shared&& other) noexcept : counted_(std::exchange(other.counted_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(counted_, other.counted_);
    return *this;
  }
  ~Shared() {
    if (counted_ != nullptr && counted_->copies.fetch_sub(1, std::memory_order_acq_rel) == 1) delete counted_;
  }

  /// Returns the value, which is valid while any copy of the handle exists; null for a default-constructed handle.
  const T* get() const { return counted_ != nullptr ? &counted_->value : nullptr; }

 private:
  struct Counted {
    const T value;
    std::atomic<std::size_t> copies = 1;
  };
  Counted* counted_ = nullptr;
};

/// An immutable list. Copies share storage. Equal lists of one communicator are stored once, because NCCL creates most
/// channels twice.
template <class T>
class SharedList {
 public:
  SharedList() = default;
  SharedList(std::vector<T> items) : items_(items.empty() ? Shared<std::vector<T>>() : Shared(std::move(items))) {}
  SharedList(std::initializer_list<T> items) : SharedList(std::vector<T>(items)) {}

  const T* begin() const { return empty() ? nullptr : items_.get()->data(); }
  const T* end() const { return begin() + size(); }
  std::size_t size() const { return empty() ? 0 : items_.get()->size(); }
  bool empty() const { return items_.get() == nullptr; }
  const T& operator[](std::size_t index) const { return (*items_.get())[index]; }
  const T& front() const { return items_.get()->front(); }
  const T& back() const { return items_.get()->back(); }
  friend bool operator==(const SharedList& a, const SharedList& b) {
    return a.items_.get() == b.items_.get() || (!a.empty() && !b.empty() && *a.items_.get() == *b.items_.get());
  }

 private:
  Shared<std::vector<T>> items_;
};

/// An immutable string in one word. Copies share the characters and may belong to different threads. The string_view of
/// a Text is valid while any copy exists.
class Text {
 public:
  Text() = default;
  Text(std::string_view text) : block_(text.empty() ? nullptr : block_of(text)) {}
  Text(const std::string& text) : Text(std::string_view{text}) {}
  Text(const char* text) : Text(std::string_view{text}) {}
  Text(const Text& other) noexcept : block_(other.block_) {
    if (block_ != nullptr) block_->copies.fetch_add(1, std::memory_order_relaxed);
  }
  Text(Text&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Text& operator=(Text other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Text() {
    if (block_ == nullptr || block_->copies.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    block_->~Block();
    ::operator delete(block_);
  }

  operator std::string_view() const { return view(); }
  std::string_view view() const {
    return empty() ? std::string_view{} : std::string_view{block_->letters(), block_->size};
  }
  std::string str() const { return std::string(view()); }
  bool empty() const { return block_ == nullptr; }
  std::size_t size() const { return empty() ? 0 : block_->size; }

  friend bool operator==(const Text& a, const Text& b) { return a.block_ == b.block_ || a.view() == b.view(); }
  friend auto operator<=>(const Text& a, const Text& b) { return a.view() <=> b.view(); }
  template <std::convertible_to<std::string_view> Other>
  requires(!std::same_as<Other, Text>) friend bool operator==(const Text& a, const Other& b) {
    return a.view() == std::string_view{b};
  }
  friend std::string operator+(std::string_view a, const Text& b) { return std::string(a).append(b.view()); }
  friend std::string operator+(const Text& a, std::string_view b) { return a.str().append(b); }
  /// This is a template so that only code that prints a Text needs <ostream>.
  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const Text& text) {
    return out << text.view();
  }

 private:
  /// The header of the allocation; the characters follow it.
  struct Block {
    std::size_t size;
    std::atomic<std::size_t> copies = 1;
    char* letters() { return reinterpret_cast<char*>(this + 1); }
  };

  static Block* block_of(std::string_view text) {
    auto* const made = new (::operator new(sizeof(Block) + text.size())) Block{text.size()};
    std::memcpy(made->letters(), text.data(), text.size());
    return made;
  }

  Block* block_ = nullptr;
};

}  // namespace nccl_analyze
