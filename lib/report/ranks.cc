// Writes the table of ranks, for readers and for awk: a head and a line for each rank, with two blanks between columns.

#include <algorithm>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "nccl_analyze/report.h"
#include "report/document/tables.h"
#include "report/phrases.h"
#include "report/text/paths.h"
#include "rules/support/address.h"
#include "text/escape.h"

namespace nccl_analyze {

void write_ranks(std::ostream& out, const Model& model, const Report& report) {
  const Communicator* const largest = widest_communicator(model);
  if (largest == nullptr || largest->ranks.empty()) {
    out << "no rank of a communicator of several is in this input\n";
    return;
  }
  const auto index = static_cast<Index>(largest - model.communicators.data());
  const TableBlock table = ranks_table(model, report, index, std::numeric_limits<std::size_t>::max());
  std::vector<std::size_t> widths;
  const auto measure = [&widths](const std::vector<std::string>& row) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(visible(row[i])));
  };
  measure(table.head);
  for (const auto& row : table.rows) measure(row);
  const auto write = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      // An empty field would shift later fields for programs that split lines at blanks.
      const std::string cell = row[i].empty() ? "-" : visible(row[i]);
      line += cell;
      if (i + 1 < row.size()) line.append(widths[i] + 2 - std::min(widths[i], columns(cell)), ' ');
    }
    out << line << '\n';
  };
  out << visible("communicator " + communicator_name(model, index)) << ": " << largest->ranks.size() << " of "
      << count_text(static_cast<std::uint64_t>(largest->nranks), "rank", "ranks") << " in this input\n";
  write(table.head);
  for (const auto& row : table.rows) write(row);
  const auto others =
      static_cast<std::size_t>(std::count_if(model.communicators.begin(), model.communicators.end(),
                                             [](const Communicator& comm) { return comm.nranks > 1; })) -
      1;
  if (others > 0)
    out << "and " << count_text(others, "other communicator", "other communicators")
        << ": --comm NAME, ID or #NUMBER\n";
}

}  // namespace nccl_analyze
