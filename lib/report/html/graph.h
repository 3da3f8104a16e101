#pragma once
/// Writes the graph of communicators as HTML tables and lists, which are complete without a script. The page's script
/// adds filters by channel and transport, and details on the element under the pointer.

#include <ostream>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Writes a collapsible section for each communicator; the first section is open.
void write_graph(std::ostream& out, const Model& model, const Report& report, const std::vector<Index>& communicators);

}  // namespace nccl_analyze
