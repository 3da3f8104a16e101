// Formats numbers, rank sets, lists and excerpts of the log.

#include "text/message_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "nccl_analyze/rule.h"
#include "text/rune.h"

namespace nccl_analyze {

std::string count_text(std::size_t count, std::string_view noun) {
  return concat(count, " ", noun, count == 1 ? "" : noun.ends_with("s") ? "es" : "s");
}

std::string short_rank_set(std::vector<int> ranks, std::size_t most) {
  std::string set = rank_set(std::move(ranks));
  if (set.size() <= most) return set;
  const std::size_t comma = set.rfind(',', most);
  if (comma != std::string::npos) set.replace(comma + 1, std::string::npos, "...");
  return set;
}

// Truncation loses nothing, because Finding::ranks has the complete list.
std::string ranks_text(const std::vector<int>& ranks, std::size_t most) {
  const std::string set = short_rank_set(ranks, most);
  if (!set.ends_with("...")) return concat(ranks.size() == 1 ? "rank " : "ranks ", set);
  return concat(ranks.size(), " ranks (", set, ")");
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string seconds_text(double seconds) {
  std::array<char, 64> buffer{};
  const auto precision = seconds < 1 ? 3 : 1;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::min(seconds, 1e9),
                                          std::chars_format::fixed, precision);
  return error == std::errc{} ? concat(std::string_view(buffer.data(), end), " s") : "? s";
}

std::string list_text(std::span<const std::string> items, std::size_t most) {
  std::string out;
  const std::size_t shown = items.size() <= most ? items.size() : most - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += i + 1 == items.size() ? " and " : ", ";
    out += items[i];
  }
  if (shown < items.size()) out += concat(" and ", items.size() - shown, " more");
  return out;
}

std::string excerpt(std::string_view text, std::size_t most) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.remove_suffix(1);
  if (text.size() <= most) return std::string(text);
  // An invalid UTF-8 byte counts as one character. A summary of the log (--format summary) has one replacement
  // character in place of each such byte, and must give the same excerpt.
  std::size_t end = 0;
  for (std::size_t runes = 0; runes < most && end < text.size(); ++runes) end += first_rune(text.substr(end)).size;
  return end == text.size() ? std::string(text) : concat(text.substr(0, end), "...");
}

}  // namespace nccl_analyze
