#pragma once
/// Words that many processes share: every rank of a job tells the same settings and versions.

#include <compare>
#include <concepts>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// An unchanging text; copies share it. Reads as a string_view, which lives as long as some copy.
class Text {
 public:
  Text() = default;
  Text(std::string_view text) : text_(text.empty() ? nullptr : std::make_shared<const std::string>(text)) {}
  Text(const std::string& text) : Text(std::string_view{text}) {}
  Text(const char* text) : Text(std::string_view{text}) {}

  operator std::string_view() const { return view(); }
  std::string_view view() const { return text_ ? std::string_view{*text_} : std::string_view{}; }
  std::string str() const { return std::string(view()); }
  bool empty() const { return text_ == nullptr; }
  std::size_t size() const { return view().size(); }

  friend bool operator==(const Text& a, const Text& b) { return a.text_ == b.text_ || a.view() == b.view(); }
  friend auto operator<=>(const Text& a, const Text& b) { return a.view() <=> b.view(); }
  template <std::convertible_to<std::string_view> Other>
  requires(!std::same_as<Other, Text>) friend bool operator==(const Text& a, const Other& b) {
    return a.view() == std::string_view{b};
  }
  friend std::string operator+(std::string_view a, const Text& b) { return std::string(a).append(b.view()); }
  friend std::string operator+(const Text& a, std::string_view b) { return a.str().append(b); }
  friend std::ostream& operator<<(std::ostream& out, const Text& text) { return out << text.view(); }

 private:
  std::shared_ptr<const std::string> text_;
};

}  // namespace nccl_analyze
