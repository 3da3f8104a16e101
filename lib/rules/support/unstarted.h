#pragma once
/// Finds ranks that never started. This is inferred from missing lines, so any proven failure takes precedence.

#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns one flag for each communicator: whether it must have been initialised, because PyTorch's watchdog reports an
/// operation of a process that has no other communicator. An excerpt may not show the end of the initialisation.
std::vector<bool> communicators_at_work(const Model& model);

/// Ranks of a communicator without any line in the input, while its other ranks wait in the bootstrap.
struct Unstarted {
  Index communicator = -1;
  std::vector<int> ranks;
};
std::vector<Unstarted> find_unstarted(const Model& model);

/// Returns the processes that printed lines at level INFO but have no rank in any communicator.
std::vector<Index> processes_without_rank(const Model& model);

}  // namespace nccl_analyze
