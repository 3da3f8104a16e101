#pragma once
// Literal pieces of lines, as reports quote them.

#include <cstddef>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Stands at an end of a quote where the line goes on.
inline constexpr std::string_view cut_mark = "…";

/// Stands between the pieces of a quote of several lines.
inline constexpr std::string_view piece_border = " ... ";

/// The quote without the marks at its ends.
std::string_view without_cut_marks(std::string_view quote);

/// Bytes [begin, end) of a line, or all of the line if it has at most `most` bytes; without blanks at the ends and with
/// blanks for control characters. Has at most `most` bytes and a mark at each end where the line goes on.
std::string literal_piece(std::string_view line, std::size_t begin, std::size_t end, std::size_t most);

/// The first `most` bytes of a line at most, with a mark if the line goes on.
inline std::string literal_line(std::string_view line, std::size_t most) {
  return literal_piece(line, 0, line.size(), most);
}

}  // namespace nccl_analyze
