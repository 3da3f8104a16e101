#pragma once
/// Formats numbers, rank sets, lists and excerpts of the log for messages.

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

inline void append_to(std::string& out, std::string_view part) { out += part; }
inline void append_to(std::string& out, std::integral auto part) { out += std::to_string(part); }

/// Concatenates strings and integers.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  (append_to(out, parts), ...);
  return out;
}

/// Concatenates a part of a sentence that is said only if the condition holds; else returns an empty text.
template <class... Parts>
std::string when(bool condition, const Parts&... parts) {
  return condition ? concat(parts...) : std::string();
}

/// Returns the count with the noun, in the plural unless the count is 1: `1 rank`, `4 ranks`, `2 processes`.
std::string count_text(std::size_t count, std::string_view noun);
/// Formats a set of ranks: `0-3,7`. A set of more than `most` characters is truncated after a comma: `0,2,...`.
std::string short_rank_set(std::vector<int> ranks, std::size_t most);
/// Formats ranks: `rank 3`, `ranks 0-3,7`. A set of more than `most` characters is truncated: `12 ranks (0,2,...)`.
std::string ranks_text(const std::vector<int>& ranks, std::size_t most = 60);
/// Converts the first letter to upper case, for the start of a sentence.
std::string capitalized(std::string text);
/// Formats a time with one decimal, or three below one second: `59.8 s`, `0.125 s`.
std::string seconds_text(double seconds);
/// Lists the items: `a`, `a and b`, `a, b and 5 more`. If there are more than `most` items, shows `most` - 1 of them.
std::string list_text(std::span<const std::string> items, std::size_t most = 4);
/// Returns text of the log without trailing blanks and full stops. A text of more than `most` characters is cut there
/// and ends with `...`.
std::string excerpt(std::string_view text, std::size_t most = 200);

}  // namespace nccl_analyze
