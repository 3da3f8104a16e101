#pragma once
/// The hosts of a communicator on the HTML page.

#include <ostream>

#include "report/graph/graph_view.h"

namespace nccl_analyze {

/// Writes the hosts as boxes with their ranks, or, if there are too many hosts or ranks for boxes, as a grid with a
/// cell for each host. If there are several hosts, a table of their kinds follows.
void write_hosts(std::ostream& out, const GraphView& view);

}  // namespace nccl_analyze
