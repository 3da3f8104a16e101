#pragma once
// Keeps the first part of a line that a terminal may have wrapped, until the next line shows whether it was wrapped.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// One line, or several lines that were parts of one longer line.
class WrappedHead {
 public:
  std::string_view text() const { return text_; }
  bool empty() const { return text_.empty(); }
  std::size_t size() const { return text_.size(); }
  std::uint64_t line() const { return line_; }
  std::uint64_t last_line() const { return last_line_; }

  void keep(std::string_view head, std::uint64_t line) {
    text_ = head;
    width_ = head.size();
    line_ = last_line_ = line;
  }
  void drop() { text_.clear(); }

  /// Appends a line that is as wide as the first line. Returns false if the width differs or the head is too long.
  bool append(std::string_view line, std::uint64_t number) {
    if (line.size() != width_ || text_.size() >= max_size) return false;
    text_.append(line);
    last_line_ = number;
    return true;
  }

  /// Appends an indented line, which people write when they wrap a line by hand. Returns false for other lines.
  bool append_indented(std::string_view line, std::uint64_t number) {
    return line.starts_with(' ') && append_words(line, number);
  }

  /// Appends a blank and the words of a line. Returns false if it has no words, or if the text would get too long.
  bool append_words(std::string_view line, std::uint64_t number) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos || text_.size() + line.size() > max_size) return false;
    text_.append(" ").append(line.substr(begin));
    width_ = 0;
    last_line_ = number;
    return true;
  }

  /// Returns the concatenation of the head, `between` and `rest`, which is valid until the next call.
  std::string_view with(std::string_view rest, std::string_view between = {}) {
    combined_.assign(text_).append(between).append(rest);
    return combined_;
  }

 private:
  static constexpr std::size_t max_size = 1024;  ///< In bytes.
  std::string text_, combined_;
  std::size_t width_ = 0;                   ///< Size of the first line in bytes.
  std::uint64_t line_ = 0, last_line_ = 0;  ///< Numbers of the first and the last line.
};

}  // namespace nccl_analyze
