#pragma once
// What stands behind a prefix in a plain line. In a header because every line comes by here.

#include <cstddef>
#include <string_view>

#include "nccl_analyze/model/line.h"
#include "text/blanks.h"
#include "text/markup.h"
#include "text/sixteen.h"

namespace nccl_analyze {

/// Where the first word ends. Words are short: to call memchr takes longer.
inline std::size_t first_blank(std::string_view text) {
  std::size_t at = 0;
  for (; at + 16 <= text.size(); at += 16) {
    const Truths blanks(is(load_sixteen(text.data() + at), ' '));
    if (!blanks.none()) return at + blanks.first();
  }
  while (at < text.size() && text[at] != ' ') ++at;
  return at;
}

/// Whether the first word of a message ends as a place does, `init.cc:345 (`: hardly another message's.
inline bool may_begin_with_place(std::string_view message) {
  const std::size_t open = first_blank(message);
  return open != 0 && message.size() - open > 2 && message[open + 1] == '(' && message[open - 1] >= '0' &&
         message[open - 1] <= '9';
}

/// 2.30.7 begins INFO messages with their place: `init.cc:345 (ncclCommInitRankFunc) -> 5`.
void read_place(std::string_view& message, std::string_view& location);

/// Without Ray's note that it left out equal lines of its workers: `… [repeated 3x across cluster] (Ray …)`.
std::string_view without_repeats(std::string_view message);

/// A message behind a wrapper that opens no quotes, without what others put at its end.
inline std::string_view behind_wrapper(std::string_view message) {
  message = without_end(message);
  if (message.ends_with(">:")) return before_tag(message);
  const bool may_be_repeated = message.ends_with(']') || message.ends_with(')');
  return may_be_repeated ? without_repeats(message) : message;
}

/// `message` without what closes the quotes or the table cell that were open before it.
std::string_view inside(std::string_view before, std::string_view message);

/// Whether a line that is plain in the sense of LineScan::begins_plain, whose marker stands at `marker`, has one of the
/// common levels, INFO and WARN, and no colour that lost its escape character.
[[gnu::always_inline]] inline bool is_common(std::string_view line, std::size_t marker) {
  const std::string_view rest(line.data() + marker + 5, line.size() - marker - 5);
  return (rest.starts_with("INFO ") || rest.starts_with("WARN ")) && !line.ends_with("[0m");
}

/// What follows `NCCL INFO ` in a line that is_common().
inline std::string_view words_behind(std::string_view line, std::size_t marker) {
  constexpr std::size_t size = 10;
  return {line.data() + marker + size, line.size() - marker - size};
}

}  // namespace nccl_analyze
