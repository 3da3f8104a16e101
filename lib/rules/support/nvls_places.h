#pragma once
/// Tells by the source line of an error whether NCCL was registering a buffer for NVLink SHARP.

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Whether the failed call binds a buffer of the program to multicast memory, in a communicator whose NVLink SHARP is
/// set up. NCCL does not read the result of this registration in any release, and goes on without it.
bool registers_nvls_buffer(const Model& model, const Incident& incident);

}  // namespace nccl_analyze
