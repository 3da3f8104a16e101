#pragma once
/// Writes rows of cells as columns, for people and for programs that split lines at blanks.

#include <iosfwd>
#include <string>
#include <vector>

namespace nccl_analyze {

/// Writes a line for each row, with two blanks between columns. All rows have the same number of cells; an empty cell
/// is written as `-`, because a missing field would shift later ones. Control characters of cells are made visible.
void write_aligned_rows(std::ostream& out, const std::vector<std::vector<std::string>>& rows);

}  // namespace nccl_analyze
