#pragma once
/// The traffic matrix of a communicator on the HTML page.

#include <cstddef>
#include <ostream>

#include "report/graph_view.h"

namespace nccl_analyze {

/// Writes the transport from each rank or host to each other one. `room` is the number of cells that the page may still
/// hold. If the matrix has more, a sentence replaces it; otherwise its cells are subtracted from `room`.
void write_matrix(std::ostream& out, const GraphView& view, std::size_t& room);

}  // namespace nccl_analyze
