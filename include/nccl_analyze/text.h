#pragma once
/// Words that many processes share: every rank of a job tells the same settings and versions.

#include <atomic>
#include <compare>
#include <concepts>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace nccl_analyze {

/// An unchanging text in one word; copies share it, also those of other threads. Reads as a string_view, which lives as
/// long as some copy.
class Text {
 public:
  Text() = default;
  Text(std::string_view text) : shared_(text.empty() ? nullptr : new Shared{std::string(text)}) {}
  Text(const std::string& text) : Text(std::string_view{text}) {}
  Text(const char* text) : Text(std::string_view{text}) {}
  Text(const Text& other) noexcept : shared_(other.shared_) {
    if (shared_ != nullptr) shared_->copies.fetch_add(1, std::memory_order_relaxed);
  }
  Text(Text&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  Text& operator=(Text other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~Text() {
    if (shared_ != nullptr && shared_->copies.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shared_;
  }

  operator std::string_view() const { return view(); }
  std::string_view view() const { return shared_ != nullptr ? std::string_view{shared_->text} : std::string_view{}; }
  std::string str() const { return std::string(view()); }
  bool empty() const { return shared_ == nullptr; }
  std::size_t size() const { return view().size(); }

  friend bool operator==(const Text& a, const Text& b) { return a.shared_ == b.shared_ || a.view() == b.view(); }
  friend auto operator<=>(const Text& a, const Text& b) { return a.view() <=> b.view(); }
  template <std::convertible_to<std::string_view> Other>
  requires(!std::same_as<Other, Text>) friend bool operator==(const Text& a, const Other& b) {
    return a.view() == std::string_view{b};
  }
  friend std::string operator+(std::string_view a, const Text& b) { return std::string(a).append(b.view()); }
  friend std::string operator+(const Text& a, std::string_view b) { return a.str().append(b); }
  friend std::ostream& operator<<(std::ostream& out, const Text& text) { return out << text.view(); }

 private:
  struct Shared {
    const std::string text;
    std::atomic<std::size_t> copies = 1;
  };
  Shared* shared_ = nullptr;
};

}  // namespace nccl_analyze
