#pragma once
// Reads what follows the prefix in a plain line: level, source location, message. It is inline because nearly every
// line of a log passes through it.

#include <cstddef>
#include <string_view>

#include "nccl_analyze/model/line.h"
#include "text/blanks.h"
#include "text/markup.h"
#include "text/sixteen.h"

namespace nccl_analyze {

/// End of the first word. A loop, since calling memchr takes longer for short words.
inline std::size_t first_blank(std::string_view text) {
  std::size_t at = 0;
  for (; at + 16 <= text.size(); at += 16) {
    const ByteMask blanks(is(load_16(text.data() + at), ' '));
    if (!blanks.none()) return at + blanks.first();
  }
  while (at < text.size() && text[at] != ' ') ++at;
  return at;
}

/// Whether the first word ends as a source location does: `init.cc:345 (`. A cheap test before read_location(), since
/// hardly any other message passes.
inline bool may_begin_with_location(std::string_view message) {
  const std::size_t open = first_blank(message);
  return open != 0 && message.size() - open > 2 && message[open + 1] == '(' && message[open - 1] >= '0' &&
         message[open - 1] <= '9';
}

/// Moves the source location with which 2.30.7 begins INFO messages, `init.cc:345 (ncclCommInitRankFunc) -> 5`, from
/// `message` to `location`.
void read_location(std::string_view& message, std::string_view& location);

/// `message` without the note that Ray appends in place of its workers' equal lines: `[repeated 3x across cluster]`.
std::string_view without_repeat_note(std::string_view message);

/// `message` without what collectors and launchers append to it: blanks, Ray's note, mpirun's `[1,1]<stdout>:`.
inline std::string_view without_collector_suffix(std::string_view message) {
  message = trimmed_end(message);
  if (message.ends_with(">:")) return without_tag(message);
  const bool may_be_repeated = message.ends_with(']') || message.ends_with(')');
  return may_be_repeated ? without_repeat_note(message) : message;
}

/// `message` without suffixes of collectors, and without the end of the quotes or the table cell that its line's
/// `decoration` opened.
std::string_view without_closing_quote(std::string_view decoration, std::string_view message);

/// Whether a plain line (LineScan::begins_plain), whose marker stands at `marker`, has level INFO or WARN and no colour
/// code at its end that lost its escape character.
[[gnu::always_inline]] inline bool is_common(std::string_view line, std::size_t marker) {
  const std::string_view rest(line.data() + marker + 5, line.size() - marker - 5);
  return (rest.starts_with("INFO ") || rest.starts_with("WARN ")) && !line.ends_with("[0m");
}

/// The text after `NCCL INFO ` or `NCCL WARN ` in a line that is_common().
inline std::string_view message_after_level(std::string_view line, std::size_t marker) {
  constexpr std::size_t size = 10;
  return {line.data() + marker + size, line.size() - marker - size};
}

}  // namespace nccl_analyze
