#pragma once
// Lists of words that are written as one text, so that a long list is a few lines.

#include <array>
#include <cstddef>
#include <string_view>

namespace nccl_analyze {

/// The words of a text, between blanks or another sign. A text of more words than a list can hold does not compile.
class WordList {
 public:
  consteval explicit WordList(std::string_view text, char between = ' ') {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = text.substr(begin).find(between);
      words_.at(size_++) = text.substr(begin, end);
      begin = end == std::string_view::npos ? text.size() + 1 : begin + end + 1;
    }
  }
  constexpr const std::string_view* begin() const { return words_.data(); }
  constexpr const std::string_view* end() const { return words_.data() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr std::string_view operator[](std::size_t i) const { return words_[i]; }

 private:
  std::array<std::string_view, 160> words_{};
  std::size_t size_ = 0;
};

}  // namespace nccl_analyze
