#pragma once
// Cuts the bytes of a source into lines as the parser does.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "nccl_analyze/parser.h"
#include "text/encoding.h"

namespace nccl_analyze::redact {

/// A line of a source.
struct LogLine {
  std::string_view text;        ///< The line without its newline, in UTF-8, cut at ParserLimits::max_line bytes.
  std::uint64_t number = 0;     ///< The first line has the number 1.
  std::uint64_t rest = 0;       ///< Number of bytes of the line after `text`.
  bool has_newline = true;      ///< False for the last line of a source that ends without a newline.
  std::string_view chunk = {};  ///< The line and the bytes after it; empty if the line began in an earlier block.
};

class LineCutter {
 public:
  /// Calls take(LogLine) for each line that `bytes` complete.
  template <class Take>
  void feed(std::string_view bytes, Take&& take) {
    decoder_.feed(bytes, [&](std::string_view text) { cut(text, take); });
  }

  /// Calls take(LogLine) for the last line of a source if it has no newline.
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
