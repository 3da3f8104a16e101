#pragma once
// Trimming of blanks. Carriage returns count as blanks, because Windows tools write them at the end of lines.

#include <cstddef>
#include <string_view>

namespace nccl_analyze {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Removes the blanks at the end of `text`.
inline std::string_view trimmed_end(std::string_view text) {
  std::size_t size = text.size();
  while (size > 0 && is_blank(text[size - 1])) --size;
  return {text.data(), size};
}

/// Removes the blanks at both ends of `text`.
inline std::string_view trimmed(std::string_view text) {
  text = trimmed_end(text);
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

/// Removes the first word from `text`, with the spaces after it, and returns the word. Empty at the end of the text, or
/// if `text` begins with a space.
inline std::string_view take_column(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  const std::size_t next = text.find_first_not_of(' ', word.size());
  text.remove_prefix(next == std::string_view::npos ? text.size() : next);
  return word;
}

}  // namespace nccl_analyze
