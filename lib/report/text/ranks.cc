// Writes the table of ranks, for readers and for awk: a head and a line for each rank, with two blanks between columns.

#include <algorithm>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "nccl_analyze/report.h"
#include "nccl_analyze/rule_parts.h"
#include "report/document/tables.h"
#include "report/sentences/failures.h"
#include "report/sentences/paths.h"
#include "report/text/aligned_rows.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {

void write_ranks(std::ostream& out, const Model& model, const Report& report) {
  const Communicator* const largest = widest_communicator(model);
  if (largest == nullptr || largest->ranks.empty()) {
    out << "no rank of a communicator of several is in this input\n";
    return;
  }
  const auto index = static_cast<Index>(largest - model.communicators.data());
  const TableBlock table = ranks_table(model, report, index, std::numeric_limits<std::size_t>::max());
  out << visible("communicator " + communicator_name(model, index)) << ": " << largest->ranks.size() << " of ";
  if (largest->nranks < 0)
    out << "an unknown number of ranks in this input\n";
  else
    out << count_text(largest->nranks, "rank") << " in this input\n";
  std::vector<std::vector<std::string>> rows = {table.head};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  write_aligned_rows(out, rows);
  const auto others = static_cast<std::size_t>(
      std::count_if(model.communicators.begin(), model.communicators.end(),
                    [&](const Communicator& comm) { return comm.nranks > 1 && &comm != largest; }));
  if (others > 0) out << "and " << count_text(others, "other communicator") << ": --comm NAME, ID or #NUMBER\n";
}

void write_failed_ranks(std::ostream& out, const Model& model, const Report& report) {
  const FailureList list = list_failures(model, report);
  if (list.failures.empty()) {
    out << "no line of this input shows the failure of a rank\n";
    return;
  }
  std::vector<std::vector<std::string>> rows = failure_rows(model, list);
  rows.insert(rows.begin(), {"", list.order == FailureOrder::time ? "time" : "line", "rank", "message"});
  write_aligned_rows(out, rows);
}

}  // namespace nccl_analyze
