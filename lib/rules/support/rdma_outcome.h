#pragma once
/// Decides whether a job survived RDMA failures, and whether its RDMA network worked before.

#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Whether all of these processes ended in order, and hence survived their failures. False for an empty list and for an
/// unknown process (-1).
bool all_ended_in_order(const Model& model, const std::vector<Index>& processes);

/// Whether the lost link that `port_down` reports hurt the job: a request of any process timed out or was flushed at
/// any time, or the process that reports it saw no return of the port and did not end in order.
bool link_loss_hurts(const Model& model, const Incident& port_down);

/// Whether any of these processes connected an algorithm, such as rings, over an RDMA network. If so, the locked-memory
/// limit is not the reason why the NIC got no memory later; another resource ran out.
bool rdma_worked_before(const Model& model, const std::vector<Index>& processes);

}  // namespace nccl_analyze
