#pragma once
/// Formats the host, pid and ranks of a process for messages.

#include <string>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// `worker-2:101`; `worker-2` if the pid is unknown.
std::string process_text(const Process& process);
/// `rank 2 (worker-2:101)`; `worker-2:101` if the rank is unknown.
std::string place_text(const Model& model, Index process);

}  // namespace nccl_analyze
