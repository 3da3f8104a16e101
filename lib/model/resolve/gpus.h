#pragma once
// Which GPU of a host a rank uses.

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Index into Host::gpus; -1 when the GPU is unknown. The bus id distinguishes GPUs; where none was printed, NVML's
/// number does.
Index find_gpu(const Host& host, const Rank& rank);

}  // namespace nccl_analyze::builder
