#pragma once
/// Draws machines with what NCCL uses of them.

#include "nccl_analyze/model.h"
#include "nccl_analyze/report.h"
#include "report/graph/picture.h"

namespace nccl_analyze {

/// Adds a frame for the first host of each kind: CPUs, PCIe switches, GPUs, NICs, NVLink, and the rings and NICs of its
/// widest communicator. The picture is laid out and its arrows are routed.
void draw_machines(const Model& model, const Report& report, const DotOptions& options, Picture& picture);

}  // namespace nccl_analyze
