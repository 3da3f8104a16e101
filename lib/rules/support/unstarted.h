#pragma once
/// Finds ranks that never started. They are inferred from missing lines, so a proven failure outweighs them.

#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Ranks without Init START for which the other ranks of the communicator wait in the bootstrap.
struct Unstarted {
  Index communicator = -1;
  std::vector<int> ranks;
};
std::vector<Unstarted> find_unstarted(const Model& model);

/// Processes with INFO lines that are in no communicator.
std::vector<Index> processes_without_rank(const Model& model);

}  // namespace nccl_analyze
