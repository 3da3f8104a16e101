// Pads the cells of rows to the widths of their columns.

#include "report/text/aligned_rows.h"

#include <algorithm>
#include <ostream>

#include "text/escape.h"

namespace nccl_analyze {

void write_aligned_rows(std::ostream& out, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(visible(row[i])));
  }
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = row[i].empty() ? "-" : visible(row[i]);
      line += cell;
      if (i + 1 < row.size()) line.append(widths[i] + 2 - std::min(widths[i], columns(cell)), ' ');
    }
    out << line << '\n';
  }
}

}  // namespace nccl_analyze
