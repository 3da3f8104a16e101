#pragma once
// What pages, editors and people make of a line: HTML, Markdown, borders, notes behind it, marks where it was cut.

#include <array>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Whether `line` has signs of what pages and editors make of a text: HTML, Markdown escapes, links and bold words,
/// no-break spaces, arrows.
bool has_markup(std::string_view line);

/// The line without them.
std::string without_markup(std::string_view line);

/// `line` without a note behind an arrow that points at it (`# ← here`) and without the border of a table at its end.
std::string_view without_notes(std::string_view line);

/// `message` without the mark at its end that says that it was cut there: `$` of a terminal, dots of a person. As it
/// is when there is none.
std::string_view before_cut_mark(std::string_view message);

/// Beginnings of `message` behind which somebody else's words may stand: a comment, a launcher's tag, the head of
/// another worker's line. Empty where there is none.
std::array<std::string_view, 5> before_tails(std::string_view message);

/// `message` without a tag that a launcher printed behind it: `[1,1]<stdout>:`.
std::string_view before_tag(std::string_view message);

}  // namespace nccl_analyze
