#pragma once
// Removes what web pages, editors and people add to a line that they paste: HTML, Markdown, table borders, notes,
// ellipses.

#include <array>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Whether `line` may contain markup: HTML, Markdown escapes, links, bold words, no-break spaces, typographic arrows.
bool has_markup(std::string_view line);

/// Replaces the markup in `line` by plain text.
std::string without_markup(std::string_view line);

/// Removes closing HTML tags, line breaks and blanks (`</p>`, `<br>`, `&nbsp;`) from the end of `line`.
std::string_view without_closing_tags(std::string_view line);

/// Removes closing HTML tags, a note that someone added after an arrow (`# ← here`), and a table border at the end of
/// `line`.
std::string_view without_notes(std::string_view line);

/// Removes a truncation mark, `$` or an ellipsis, from the end of `message`. Returns `message` unchanged if there is
/// none.
std::string_view without_cut_mark(std::string_view message);

/// Returns candidates for `message` without trailing text that another program or a person may have added. Each
/// candidate is for one kind of added text, such as a comment, a launcher's tag or the head of another worker's line;
/// it is empty if `message` has no such text.
std::array<std::string_view, 5> without_trailing_text(std::string_view message);

/// Removes mpirun's tag, `[1,1]<stdout>:`, from the end of `message`.
std::string_view without_tag(std::string_view message);

}  // namespace nccl_analyze
