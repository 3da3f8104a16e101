#include "parser/wrapped_message.h"

#include <algorithm>

#include "text/blanks.h"

namespace nccl_analyze {

bool is_open_end(std::string_view line) {
  constexpr std::string_view ends = ".!?'\"`";
  return !trimmed(line).empty() && ends.find(trimmed(line).back()) == std::string_view::npos;
}

bool continues_message(std::string_view line, bool only_indented) {
  const std::string_view words = trimmed(line);
  if (words.empty() || words.starts_with("frame #") || words.starts_with("at ")) return false;
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  if (line.starts_with(' ')) return is_lower(words.front());
  if (only_indented) return false;
  if (words.front() == '=') return words.size() > 1 && words[1] != '=' && words[1] != ' ';
  const std::string_view first = words.substr(0, words.find(' '));
  const std::size_t letters = std::min(first.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), first.size());
  return is_lower(words.front()) && first.size() < words.size() &&
         first.substr(letters).find_first_not_of("),;") == std::string_view::npos;
}

}  // namespace nccl_analyze
