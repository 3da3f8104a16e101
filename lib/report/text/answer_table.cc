// Fits a table of answers into the width of the page.

#include "report/text/answer_table.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "report/text/colors.h"
#include "text/escape.h"
#include "text/phrases.h"
#include "text/wrap.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_nodes = 40, max_head = 30, max_cell = 12;  // In columns.
constexpr std::size_t table_indent = 2, column_gap = 2;

using Columns = std::vector<std::size_t>;

class AnswerTable {
 public:
  AnswerTable(std::ostream& out, const TableBlock& table, const TextOptions& options)
      : out_(out), table_(table), options_(options), widths_(table.head.size()) {
    add(table.head, max_head);
    for (const std::vector<std::string>& row : table.rows) add(row, max_cell);
  }

  void write() const {
    Columns shown;
    std::string fine;
    for (std::size_t i = 1; i < widths_.size(); ++i) shown.push_back(i);
    if (width_of(shown) > options_.columns) {
      for (const std::size_t i : std::exchange(shown, {}))
        if (table_.all_ok[i - 1])
          append_item(fine, table_.head[i]);
        else
          shown.push_back(i);
    }
    for (auto from = shown.begin(), to = from; from != shown.end(); from = to) {
      do ++to;
      while (to != shown.end() && width_of({from, to + 1}) <= options_.columns);
      write_columns({from, to});
    }
    if (!fine.empty())
      out_ << std::string(table_indent, ' ')
           << wrap("ok on every node: " + fine, table_indent, table_indent + 2, options_.columns) << "\n";
  }

 private:
  void add(const std::vector<std::string>& row, std::size_t most) {
    std::vector<std::string>& cells = rows_.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(truncated(visible(row[i]), i == 0 ? max_nodes : most));
      widths_[i] = std::max(widths_[i], columns(cells[i]));
    }
  }

  /// Returns the width of a table of the first column and these columns.
  std::size_t width_of(const Columns& shown) const {
    std::size_t width = table_indent + widths_[0];
    for (const std::size_t i : shown) width += column_gap + widths_[i];
    return width;
  }

  void write_columns(const Columns& shown) const {
    for (const std::vector<std::string>& row : rows_) {
      out_ << std::string(table_indent, ' ') << row[0];
      std::size_t last = 0;
      for (const std::size_t i : shown) {
        out_ << std::string(widths_[last] - columns(row[last]) + column_gap, ' ')
             << (&row == rows_.data() ? row[i] : colored(options_, color_of(row[i]), row[i]));
        last = i;
      }
      out_ << "\n";
    }
  }

  static std::string_view color_of(std::string_view answer) {
    return answer == "ok" ? "" : label_color(answer == "?" ? "UNKNOWN" : "ERROR");
  }

  std::ostream& out_;
  const TableBlock& table_;
  const TextOptions& options_;
  std::vector<std::vector<std::string>> rows_;  ///< The head, then the rows, with their cells cut.
  Columns widths_;
};

}  // namespace

void write_answers(std::ostream& out, const TableBlock& table, const TextOptions& options) {
  if (!table.rows.empty()) AnswerTable(out, table, options).write();
}

}  // namespace nccl_analyze
