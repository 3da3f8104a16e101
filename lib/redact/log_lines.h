#pragma once
// Cuts the bytes of a source into lines, as the parser sees them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "nccl_analyze/parser.h"
#include "text/encoding.h"

namespace nccl_analyze::redact {

/// A line without its newline.
struct LogLine {
  std::string_view text;        ///< At most ParserLimits::max_line bytes, in UTF-8.
  std::uint64_t number = 0;     ///< Counted from 1.
  std::uint64_t rest = 0;       ///< Number of bytes beyond the end of `text`, which are dropped.
  bool has_newline = true;      ///< False only for the last line of a source that ends without a newline.
  std::string_view chunk = {};  ///< The line with what was read behind it; empty if its beginning was read before.
};

class LineCutter {
 public:
  /// Calls take(LogLine) for each line that `bytes` complete.
  template <class Take>
  void feed(std::string_view bytes, Take&& take) {
    decoder_.feed(bytes, [&](std::string_view text) { cut(text, take); });
  }

  /// Ends the source.
  template <class Take>
  void finish(Take&& take) {
    decoder_.finish([&](std::string_view text) { cut(text, take); });
    if (!text_.empty()) take(LogLine{text_, ++number_, rest_, false});
  }

 private:
  template <class Take>
  void cut(std::string_view text, Take& take) {
    while (!text.empty()) {
      const std::size_t newline = text.find('\n');
      const std::string_view part = text.substr(0, newline);
      if (newline != std::string_view::npos && text_.empty()) {
        const std::size_t size = std::min(part.size(), ParserLimits{}.max_line);
        take(LogLine{part.substr(0, size), ++number_, part.size() - size, true, text});
        text.remove_prefix(newline + 1);
        continue;
      }
      const std::size_t room = ParserLimits{}.max_line - text_.size();
      text_.append(part.substr(0, room));
      rest_ += part.size() - std::min(part.size(), room);
      if (newline == std::string_view::npos) return;
      text.remove_prefix(newline + 1);
      take(LogLine{text_, ++number_, rest_, true});
      text_.clear();
      rest_ = 0;
    }
  }

  Decoder decoder_;
  std::string text_;
  std::uint64_t number_ = 0, rest_ = 0;
};

}  // namespace nccl_analyze::redact
