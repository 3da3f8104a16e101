#pragma once
// Parses the part of a plain line after the prefix: level, source location and message. The functions are inline
// because they run for nearly every line of a log.

#include <cstddef>
#include <string_view>

#include "nccl_analyze/model/line.h"
#include "text/blanks.h"
#include "text/markup.h"
#include "text/sixteen.h"

namespace nccl_analyze {

/// Returns the position of the first blank, or the text's size. A loop is used because a call of memchr takes longer
/// for short words.
inline std::size_t first_blank(std::string_view text) {
  std::size_t at = 0;
  for (; at + 16 <= text.size(); at += 16) {
    const ByteMask blanks(is(load_16(text.data() + at), ' '));
    if (!blanks.none()) return at + blanks.first();
  }
  while (at < text.size() && text[at] != ' ') ++at;
  return at;
}

/// Whether the first word ends like a source location, with a digit before ` (`: `init.cc:345 (`. This cheap test
/// excludes nearly all messages for which read_location() would do nothing.
inline bool may_begin_with_location(std::string_view message) {
  const std::size_t open = first_blank(message);
  return open != 0 && message.size() - open > 2 && message[open + 1] == '(' && message[open - 1] >= '0' &&
         message[open - 1] <= '9';
}

/// Moves a source location from the start of `message` to `location`. Since 2.30.7, INFO messages may start with a
/// location: `init.cc:345 (ncclCommInitRankFunc) -> 5`.
void read_location(std::string_view& message, std::string_view& location);

/// Removes the note that Ray appends when it drops equal lines of other workers: `[repeated 3x across cluster]`.
std::string_view without_repeat_note(std::string_view message);

/// Removes what collectors and launchers append to a message: blanks, Ray's note, mpirun's tag `[1,1]<stdout>:`.
inline std::string_view without_collector_suffix(std::string_view message) {
  message = trimmed_end(message);
  if (message.ends_with(">:")) return without_tag(message);
  const bool may_be_repeated = message.ends_with(']') || message.ends_with(')');
  return may_be_repeated ? without_repeat_note(message) : message;
}

/// Removes what collectors append to a message, and the closing quote or cell border if `decoration` (the text before
/// the record) ends with an opening one.
std::string_view without_closing_quote(std::string_view decoration, std::string_view message);

/// Whether a plain line (LineScan::begins_plain) with its marker at `marker` has level INFO or WARN, and does not end
/// with a colour code whose escape character was lost.
[[gnu::always_inline]] inline bool is_common(std::string_view line, std::size_t marker) {
  const std::string_view rest(line.data() + marker + 5, line.size() - marker - 5);
  return (rest.starts_with("INFO ") || rest.starts_with("WARN ")) && !line.ends_with("[0m");
}

/// Returns the text after `NCCL INFO ` or `NCCL WARN ` in a line for which is_common() is true.
inline std::string_view message_after_level(std::string_view line, std::size_t marker) {
  constexpr std::size_t size = 10;
  return {line.data() + marker + size, line.size() - marker - size};
}

}  // namespace nccl_analyze
