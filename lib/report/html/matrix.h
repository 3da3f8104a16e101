#pragma once
/// The traffic matrix of a communicator on the HTML page.

#include <cstddef>
#include <ostream>

#include "report/graph/graph_view.h"

namespace nccl_analyze {

/// Writes the slowest transport from each rank or host to every other. `room` is the number of cells that the page may
/// still hold; it is reduced by the cells of this matrix. A sentence replaces a matrix with more cells than `room`, or
/// a matrix of more than `max_drawn_hosts` hosts.
void write_matrix(std::ostream& out, const GraphView& view, std::size_t& room);

}  // namespace nccl_analyze
