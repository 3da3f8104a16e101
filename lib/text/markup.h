#pragma once
// Removes what web pages, editors and posters added to a pasted line: HTML, Markdown, table borders, notes, ellipses.

#include <array>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Whether `line` may hold markup: HTML, Markdown escapes, links and bold words, no-break spaces, typographic arrows.
bool has_markup(std::string_view line);

/// `line` with its markup replaced by the plain text that it stands for.
std::string without_markup(std::string_view line);

/// `line` without a poster's note behind an arrow (`# ← here`) and without a table border at its end.
std::string_view without_notes(std::string_view line);

/// `message` without the truncation mark at its end, `$` or an ellipsis. Unchanged when it has none.
std::string_view without_cut_mark(std::string_view message);

/// `message` without text that may be another writer's, one candidate for each kind of text: a comment, a launcher's
/// tag, the head of another worker's line. A candidate is empty where `message` has no text of that kind.
std::array<std::string_view, 5> without_trailing_text(std::string_view message);

/// `message` without the tag of mpirun at its end: `[1,1]<stdout>:`.
std::string_view without_tag(std::string_view message);

}  // namespace nccl_analyze
