#pragma once
/// The graph of communicators as HTML tables and lists, whole without a script: the page's script picks channels and
/// transports and tells of what the pointer is on.

#include <ostream>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// One fold a communicator, the first one open.
void write_graph(std::ostream& out, const Model& model, const Report& report, const std::vector<Index>& communicators);

}  // namespace nccl_analyze
