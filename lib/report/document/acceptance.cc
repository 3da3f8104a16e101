// Arranges the acceptance of a cluster as a table of nodes, followed by a list of what the failed checks found.

#include "report/document/acceptance.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "report/sentences/acceptance_matrix.h"
#include "text/phrases.h"

namespace nccl_analyze {

std::vector<Block> acceptance_blocks(const Acceptance& acceptance, std::size_t most, std::string_view elsewhere) {
  if (acceptance.columns.empty()) return {};
  Matrix matrix = fold_matrix(acceptance);
  std::vector<Block> blocks;
  blocks.push_back({Heading{2, {}, {.strong = "Acceptance", .text = std::move(matrix.headline)}, "acceptance"}});
  TableBlock table{{"node"}, {}};
  std::ranges::copy(matrix.head, std::back_inserter(table.head));
  for (std::size_t i = 0; i < matrix.head.size(); ++i)
    table.all_ok.push_back(
        std::ranges::all_of(matrix.rows, [i](const MatrixRow& row) { return row.cells[i] == "ok"; }));
  List seen;
  std::size_t others = 0;
  for (MatrixRow& row : matrix.rows) {
    if (table.rows.size() == most) {
      others += row.count;
      continue;
    }
    std::string details = joined(row.details, "; ");
    if (!details.empty()) seen.items.push_back({.strong = row.nodes, .text = std::move(details)});
    std::vector<std::string>& cells = table.rows.emplace_back();
    cells.push_back(std::move(row.nodes));
    std::ranges::move(row.cells, std::back_inserter(cells));
  }
  blocks.push_back({std::move(table)});
  for (std::string& check : matrix.job) seen.items.push_back({.strong = "job", .text = std::move(check)});
  if (!seen.items.empty()) blocks.push_back({std::move(seen)});
  if (others > 0)
    blocks.push_back({Paragraph{{{}, "and " + count_text(others, "other node") + std::string{elsewhere}}}});
  if (!acceptance.source.empty())
    blocks.push_back({Paragraph{{.strong = "The numbers of the profile", .text = acceptance.source}}});
  return blocks;
}

}  // namespace nccl_analyze
