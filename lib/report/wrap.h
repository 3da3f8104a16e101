#pragma once
/// Fits text into lines for a terminal. What comes out is visible(): no control character of the input survives.

#include <cstddef>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Of a page that is as wide as nothing says.
constexpr std::size_t page_columns = 100;

/// `text` broken between words at `width` columns. The first line begins at `column` (already printed), the others are
/// indented by `indent`. Runs of blanks stay as they are inside a line; no newline at the end.
std::string wrap(std::string_view text, std::size_t column, std::size_t indent, std::size_t width = page_columns);

/// Markdown: joins the lines of a paragraph or list item and wraps it; list items hang, code blocks (fenced, or
/// indented by four blanks more than the text around them) keep their lines. Code between backticks stays in one piece,
/// longer than a line if need be, for it will be copied. `gap` stands between two paragraphs: "\n", or "\n\n" for a
/// blank line. Begins at `indent`; no newline at the end. `styled`: what is bold or code outside code blocks is shown
/// by escape sequences of a terminal, in place of its marks.
std::string wrap_markdown(std::string_view text, std::size_t indent, std::string_view gap,
                          std::size_t width = page_columns, bool styled = false);

}  // namespace nccl_analyze
