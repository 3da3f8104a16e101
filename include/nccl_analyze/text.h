#pragma once
/// Words that many processes share: every rank of a job tells the same settings and versions.

#include <compare>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

#include "nccl_analyze/shared.h"

namespace nccl_analyze {

/// An unchanging text in one word; copies share it, also those of other threads. Reads as a string_view, which lives as
/// long as some copy.
class Text {
 public:
  Text() = default;
  Text(std::string_view text) : shared_(text.empty() ? Shared<std::string>() : Shared(std::string(text))) {}
  Text(const std::string& text) : Text(std::string_view{text}) {}
  Text(const char* text) : Text(std::string_view{text}) {}

  operator std::string_view() const { return view(); }
  std::string_view view() const { return empty() ? std::string_view{} : std::string_view{*shared_.get()}; }
  std::string str() const { return std::string(view()); }
  bool empty() const { return shared_.get() == nullptr; }
  std::size_t size() const { return view().size(); }

  friend bool operator==(const Text& a, const Text& b) {
    return a.shared_.get() == b.shared_.get() || a.view() == b.view();
  }
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
  Shared<std::string> shared_;
};

}  // namespace nccl_analyze
