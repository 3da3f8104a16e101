#pragma once
// Trimming of blanks, carriage returns included: logs of Windows tools end their lines with one.

#include <cstddef>
#include <string_view>

namespace nccl_analyze {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// `text` without the blanks at its end.
inline std::string_view trimmed_end(std::string_view text) {
  std::size_t size = text.size();
  while (size > 0 && is_blank(text[size - 1])) --size;
  return {text.data(), size};
}

/// `text` without the blanks at both ends.
inline std::string_view trimmed(std::string_view text) {
  text = trimmed_end(text);
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

}  // namespace nccl_analyze
