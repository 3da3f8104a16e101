#pragma once
/// Writes the time line of the HTML page as an SVG picture, and a table with the same data.

#include <ostream>
#include <string>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "report/timeline/timeline.h"

namespace nccl_analyze {

/// Writes a row for each process, or for each GPU of a process with several. If there are too many rows, rows with
/// failures are kept first, then rows with the longest initialisations. Nothing is written if there are no rows.
void write_timeline(std::ostream& out, const Model& model, const Report& report, const Timeline& timeline);

/// Returns the start and the end of the time line, `2025-12-28 16:04:45 to 16:07:10`; empty if its clock has no dates.
std::string time_range_text(const Timeline& timeline);

}  // namespace nccl_analyze
