#pragma once
/// Over what the ranks of the largest communicator reach each other, and in which order.

#include <string>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// `inside a host NVLink, no NVLS; between hosts NET/IB, GPUDirect RDMA`; empty where no connection is shown.
std::string describe_paths(const Model& model);

/// `2 rings: 0→3→2→1→0`, `16 rings in 2 orders, such as 0→7→6→…→8→0`; empty where none is known whole.
std::string describe_rings(const Model& model);

}  // namespace nccl_analyze
