#pragma once
/// A table of answers in the text report: the nodes of an acceptance and their checks.

#include <iosfwd>

#include "nccl_analyze/report.h"
#include "report/document/document.h"

namespace nccl_analyze {

/// Writes the table as aligned columns. If it is wider than the page, columns that are `ok` in every row are only
/// named, and the others are split into as many tables as needed.
void write_answers(std::ostream& out, const TableBlock& table, const TextOptions& options);

}  // namespace nccl_analyze
