#pragma once
// The head of a line that a terminal wrapped before it came to its point.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

class WrappedHead {
 public:
  bool empty() const { return text_.empty(); }
  std::size_t size() const { return text_.size(); }
  std::uint64_t line() const { return line_; }

  void keep(std::string_view head, std::uint64_t line = 0) {
    text_ = head;
    width_ = head.size();
    line_ = line;
  }
  void drop() { text_.clear(); }

  /// Goes on with a line as wide as the first, until there is much. Whether it does.
  bool append(std::string_view line) {
    constexpr std::size_t much = 512;
    if (line.size() != width_ || text_.size() >= much) return false;
    text_.append(line);
    return true;
  }

  /// The head and what may be its rest. The view lives until the next call.
  std::string_view with(std::string_view rest, std::string_view between = {}) {
    combined_.assign(text_).append(between).append(rest);
    return combined_;
  }

 private:
  std::string text_, combined_;
  std::size_t width_ = 0;   ///< Of its first line.
  std::uint64_t line_ = 0;  ///< The number of that.
};

}  // namespace nccl_analyze
