#pragma once
/// The rings and trees of a communicator on the HTML page.

#include <ostream>

#include "report/graph_view.h"

namespace nccl_analyze {

/// Writes each rank order of the rings; an order that is too long is shortened to its first and last ranks.
void write_rings(std::ostream& out, const GraphView& view, const Communicator& comm);

/// Writes each tree, level by level from its root.
void write_trees(std::ostream& out, const GraphView& view);

}  // namespace nccl_analyze
