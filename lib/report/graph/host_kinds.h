#pragma once
/// Groups the hosts of a communicator's graph into kinds.

#include <vector>

#include "nccl_analyze/model.h"
#include "report/graph/graph_view.h"

namespace nccl_analyze {

/// Groups equal hosts of `view` into kinds, the most frequent kind first. `processes[i]` are the processes of the ranks
/// on `view.hosts[i]`.
std::vector<HostKind> kinds_of(const GraphView& view, const Table<std::vector<const Process*>>& processes);

}  // namespace nccl_analyze
