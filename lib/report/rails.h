#pragma once
/// Which GPUs of a communicator use which NICs.

#include <cstddef>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// How many ranks of each GPU number use each NIC number, over all hosts.
struct Rails {
  std::vector<int> gpus, nics;                  ///< Sorted. GPUs as NVML numbers them, else CUDA.
  std::vector<std::string> names;               ///< Of `nics`, where all hosts name them alike; else empty.
  std::vector<std::vector<std::size_t>> ranks;  ///< [gpu][nic]
};

Rails rails_of(const Model& model, const Communicator& communicator);

/// `GPU 0 mlx5_0, GPU 1 mlx5_1`; empty where no connection over a network names a NIC.
std::string describe_rails(const Rails& rails);

}  // namespace nccl_analyze
