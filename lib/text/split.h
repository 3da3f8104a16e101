#pragma once
/// Takes a text apart at a mark, and a table at tabs.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// Removes the part of `text` before the first `mark`, and the mark itself. Returns the part: all of the text if it has
/// no such mark.
inline std::string_view take_until(std::string_view& text, char mark) {
  const std::string_view part = text.substr(0, text.find(mark));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

/// Returns the rows of a table with tabs between its columns, without the first row, which has their names. Cells that
/// a row lacks are empty.
template <std::size_t columns>
std::vector<std::array<std::string_view, columns>> rows_of(std::string_view table) {
  std::vector<std::array<std::string_view, columns>> rows;
  take_until(table, '\n');
  while (!table.empty()) {
    std::string_view line = take_until(table, '\n');
    for (std::string_view& cell : rows.emplace_back()) cell = take_until(line, '\t');
  }
  return rows;
}

}  // namespace nccl_analyze
