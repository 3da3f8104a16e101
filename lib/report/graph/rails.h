#pragma once
/// Counts the ranks of a communicator by the numbers of their GPUs and NICs.

#include <cstddef>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// For each pair of a GPU number and a NIC number, the number of ranks with this pair, over all hosts.
struct Rails {
  std::vector<int> gpus, nics;     ///< Sorted. GPUs have NVML numbers, or else CUDA numbers.
  std::vector<std::string> names;  ///< Parallel to `nics`; empty if NICs with the number have different or no names.
  std::vector<std::vector<std::size_t>> ranks;  ///< Indexed by [gpu][nic], in the order of `gpus` and `nics`.
};

Rails rails_of(const Model& model, const Communicator& communicator);

/// Describes which GPU uses which NIC: `GPU 0 mlx5_0, GPU 1 mlx5_1`. Empty if no rank uses a numbered NIC.
std::string describe_rails(const Rails& rails);

}  // namespace nccl_analyze
