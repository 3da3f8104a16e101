#pragma once
/// The traffic matrix of a communicator on the HTML page.

#include <cstddef>
#include <ostream>

#include "report/graph/graph_view.h"

namespace nccl_analyze {

/// Writes the slowest transport from each rank or host to every other. `room` is the number of cells that the page may
/// still hold: it is reduced by the cells of this matrix. A matrix with more cells is replaced by a sentence.
void write_matrix(std::ostream& out, const GraphView& view, std::size_t& room);

}  // namespace nccl_analyze
