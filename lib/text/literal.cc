#include "text/literal.h"

#include <algorithm>

#include "text/blanks.h"
#include "text/rune.h"

namespace nccl_analyze {

namespace {

bool is_control_character(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

/// Returns the start of the code point that contains position `at`.
std::size_t rune_start(std::string_view text, std::size_t at) {
  constexpr std::size_t longest = 4;
  for (std::size_t back = 0; back < longest && at > 0 && at < text.size(); ++back, --at)
    if (!continues(static_cast<unsigned char>(text[at]))) break;
  return at;
}

}  // namespace

std::string_view without_cut_marks(std::string_view quote) {
  if (quote.starts_with(cut_mark)) quote.remove_prefix(cut_mark.size());
  if (quote.ends_with(cut_mark)) quote.remove_suffix(cut_mark.size());
  return quote;
}

std::string literal_piece(std::string_view line, std::size_t begin, std::size_t end, std::size_t most) {
  const auto indent = static_cast<std::size_t>(std::ranges::find_if_not(line, is_blank) - line.begin());
  const std::string_view whole = trimmed(line);
  const std::size_t from = whole.size() <= most ? 0 : std::clamp(begin, indent, indent + whole.size()) - indent;
  const std::size_t to =
      whole.size() <= most ? whole.size() : std::clamp(end, indent + from, indent + whole.size()) - indent;
  const std::string_view piece = trimmed(whole.substr(from, rune_start(whole, std::min(to, from + most)) - from));
  std::string text(piece);
  std::ranges::replace_if(text, is_control_character, ' ');
  if (piece.data() > whole.data()) text.insert(0, cut_mark);
  if (piece.data() + piece.size() < whole.data() + whole.size()) text += cut_mark;
  return text;
}

}  // namespace nccl_analyze
