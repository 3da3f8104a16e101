#pragma once
/// Breaks text into lines for a terminal. The result is visible(): no control character of the input survives.

#include <cstddef>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Default width of the page.
constexpr std::size_t page_columns = 100;

/// Breaks `text` between words at `width` columns. The first line starts at `column`, after text that is already
/// printed; the others are indented by `indent`. Runs of blanks inside a line are kept. The result has no final
/// newline.
std::string wrap(std::string_view text, std::size_t column, std::size_t indent, std::size_t width = page_columns);

/// Joins the lines of each Markdown paragraph and list item and wraps them. List items have a hanging indent. Code
/// blocks (fenced, or indented by four blanks more than the surrounding text) keep their lines. Code between backticks
/// is never broken, because readers copy it. `gap` separates paragraphs: "\n", or "\n\n" for a blank line. Every line
/// is indented by at least `indent`; the result has no final newline. If `styled`, terminal escape sequences replace
/// the marks of bold text and inline code.
std::string wrap_markdown(std::string_view text, std::size_t indent, std::string_view gap,
                          std::size_t width = page_columns, bool styled = false);

}  // namespace nccl_analyze
