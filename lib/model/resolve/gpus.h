#pragma once
// Finds the GPU that a rank uses.

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Returns the index in Host::gpus of the GPU that the rank uses; -1 = unknown. GPUs are identified by bus id, or by
/// NVML index if the rank printed no bus id.
Index find_gpu(const Host& host, const Rank& rank);

}  // namespace nccl_analyze::builder
