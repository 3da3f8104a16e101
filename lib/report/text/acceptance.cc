// Writes the acceptance of a cluster as a table that fits the width of the page.

#include "report/text/acceptance.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "report/sentences/acceptance_matrix.h"
#include "report/sentences/phrases.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_rows = 12;                                 // Limit on rows, unless the report is verbose.
constexpr std::size_t max_nodes = 40, max_head = 30, max_cell = 12;  // In columns.
constexpr std::size_t matrix_indent = 2, column_gap = 2;

std::string fitted(const std::string& text, std::size_t most) { return truncated(visible(text), most); }

/// Pads `text` to `width` columns. `is_answer`: whether the text is an answer, which is coloured unless it is `ok`.
std::string cell(const Page& page, const std::string& text, std::size_t width, bool is_answer) {
  const std::string blanks(width - std::min(width, columns(text)), ' ');
  const std::string_view label = text == "ok" ? "" : text == "?" ? "\x1b[1;35m" : "\x1b[1;31m";
  return (is_answer && !label.empty() ? colored(page, label, text) : text) + blanks;
}

/// The first rows of a matrix as a table.
class MatrixTable {
 public:
  MatrixTable(const Page& page, const Matrix& matrix, std::size_t rows) : page_(page), matrix_(matrix), rows_(rows) {
    for (std::size_t i = 0; i < rows_; ++i) first_ = std::max(first_, columns(fitted(matrix.rows[i].nodes, max_nodes)));
    for (std::size_t column = 0; column < matrix.head.size(); ++column) {
      std::size_t width = columns(fitted(matrix.head[column], max_head));
      for (std::size_t i = 0; i < rows_; ++i)
        width = std::max(width, columns(fitted(matrix.rows[i].cells[column], max_cell)));
      widths_.push_back(width);
    }
  }

  /// Writes all columns in one table if they fit. Else, columns in which every answer is ok are only named, and the
  /// other columns are split into as many tables as needed.
  void write() const {
    std::vector<std::size_t> shown, fine;
    for (std::size_t i = 0; i < widths_.size(); ++i) (is_fine(i) ? fine : shown).push_back(i);
    if (fits(widths_.size())) {
      shown.clear();
      for (std::size_t i = 0; i < widths_.size(); ++i) shown.push_back(i);
      fine.clear();
    }
    for (auto from = shown.begin(), to = from; from != shown.end(); from = to) {
      std::size_t width = matrix_indent + first_;
      while (to != shown.end() && (to == from || width + column_gap + widths_[*to] <= page_.options.columns))
        width += column_gap + widths_[*to++];
      write_columns({from, to});
    }
    if (fine.empty()) return;
    std::string names;
    for (const std::size_t i : fine) names += (names.empty() ? "" : ", ") + matrix_.head[i];
    write_paragraph(page_, "ok on every node: " + names, matrix_indent);
  }

 private:
  bool is_fine(std::size_t column) const {
    return std::all_of(matrix_.rows.begin(), matrix_.rows.end(),
                       [column](const MatrixRow& row) { return row.cells[column] == "ok"; });
  }

  bool fits(std::size_t count) const {
    std::size_t width = matrix_indent + first_;
    for (std::size_t i = 0; i < count; ++i) width += column_gap + widths_[i];
    return width <= page_.options.columns;
  }

  void write_columns(const std::vector<std::size_t>& shown) const {
    std::vector<std::string> head;
    for (const std::size_t i : shown) head.push_back(fitted(matrix_.head[i], max_head));
    write_line("node", head, shown, false);
    for (std::size_t i = 0; i < rows_; ++i) {
      std::vector<std::string> cells;
      for (const std::size_t column : shown) cells.push_back(fitted(matrix_.rows[i].cells[column], max_cell));
      write_line(fitted(matrix_.rows[i].nodes, max_nodes), cells, shown, true);
    }
  }

  void write_line(const std::string& first, const std::vector<std::string>& cells,
                  const std::vector<std::size_t>& shown, bool is_answer) const {
    page_.out << std::string(matrix_indent, ' ') << cell(page_, first, first_, false);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool is_last = i + 1 == cells.size();
      page_.out << std::string(column_gap, ' ') << cell(page_, cells[i], is_last ? 0 : widths_[shown[i]], is_answer);
    }
    page_.out << "\n";
  }

  const Page& page_;
  const Matrix& matrix_;
  std::size_t rows_;
  std::size_t first_ = 4;  ///< Width of the first column.
  std::vector<std::size_t> widths_;
};

}  // namespace

void write_acceptance(const Page& page) {
  if (!page.report.acceptance || page.report.acceptance->columns.empty()) return;
  const Matrix matrix = fold_matrix(*page.report.acceptance);
  write_heading(page, visible("Acceptance: " + matrix.headline));
  const std::size_t rows = page.options.verbose ? matrix.rows.size() : std::min(matrix.rows.size(), max_rows);
  if (rows > 0) MatrixTable(page, matrix, rows).write();
  for (std::size_t i = 0; i < rows; ++i) {
    if (matrix.rows[i].details.empty()) continue;
    std::string text = matrix.rows[i].nodes + ": ";
    for (const std::string& detail : matrix.rows[i].details)
      text += (&detail == matrix.rows[i].details.data() ? "" : "; ") + detail;
    write_paragraph(page, text, matrix_indent);
  }
  if (rows < matrix.rows.size()) {
    std::size_t nodes = 0;
    for (std::size_t i = rows; i < matrix.rows.size(); ++i) nodes += matrix.rows[i].count;
    write_paragraph(page, "and " + count_text(nodes, "other node", "other nodes") + " (-v shows them)", matrix_indent);
  }
  if (!page.report.acceptance->source.empty())
    write_paragraph(page, "the numbers of the profile: " + page.report.acceptance->source, matrix_indent);
}

}  // namespace nccl_analyze
