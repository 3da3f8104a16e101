#pragma once
/// How the HTML page shows a rank and its suspicions.

#include <ostream>
#include <string>
#include <string_view>

#include "nccl_analyze/rule.h"
#include "report/graph/graph_view.h"

namespace nccl_analyze {

/// Returns the CSS class of a suspicion; empty for Severity::info.
std::string_view class_of(Severity severity);

/// Describes a rank for a tooltip: its address, state and suspicions, and a line that shows it.
std::string describe(const GraphRank& rank);

/// Writes a rank's number in a coloured frame, with describe() as its tooltip. Readers who cannot see the colours find
/// marks: `!` for a suspect, `×` for a failed rank, `…` for a rank that only started, `?` for a rank without a log.
/// An aborted rank counts as failed.
void write_chip(std::ostream& out, const GraphView& view, int number);

}  // namespace nccl_analyze
