#pragma once
/// The rings and trees of a communicator on the HTML page.

#include <ostream>

#include "report/graph/graph_view.h"

namespace nccl_analyze {

/// Writes each rank order of the rings as a strip, up to a limit. If a complete ring has too many runs of ranks on one
/// host for a strip, only its first and last ranks are written.
void write_rings(std::ostream& out, const GraphView& view, const Communicator& comm);

/// Writes each tree as nested lists of its hosts, up to a limit of trees and of hosts.
void write_trees(std::ostream& out, const GraphView& view);

}  // namespace nccl_analyze
