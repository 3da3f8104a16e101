#pragma once
// Literal pieces of lines, as reports quote them.

#include <cstddef>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Marks an end of a quote at which the line continues.
inline constexpr std::string_view cut_mark = "…";

/// Separates the pieces of a quote of several lines.
inline constexpr std::string_view piece_border = " ... ";

/// Returns the quote without cut_mark at its ends.
std::string_view without_cut_marks(std::string_view quote);

/// Returns bytes [begin, end) of a line, but at most `most` of them. Returns the whole line if it has at most `most`
/// bytes. Removes blanks at both ends, replaces control characters by blanks, and then adds a cut_mark at each end
/// where the line continues.
std::string literal_piece(std::string_view line, std::size_t begin, std::size_t end, std::size_t most);

/// Returns at most the first `most` bytes of a line, with a cut_mark if the line continues.
inline std::string literal_line(std::string_view line, std::size_t most) {
  return literal_piece(line, 0, line.size(), most);
}

}  // namespace nccl_analyze
