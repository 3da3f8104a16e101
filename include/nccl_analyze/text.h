#pragma once
/// Words that many processes share: every rank of a job tells the same settings and versions.

#include <atomic>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace nccl_analyze {

/// An unchanging text in one word, its letters in one block that copies share, also those of other threads. Reads as a
/// string_view, which lives as long as some copy.
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
  /// A template, so that <ostream> is read by those alone who write.
  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const Text& text) {
    return out << text.view();
  }

 private:
  /// What stands before the letters.
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
