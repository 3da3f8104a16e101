#pragma once
/// Names processes and ranks in messages, by host and pid.

#include <string>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// `worker-2:101`; only the host when the pid is unknown.
std::string process_text(const Process& process);
/// `rank 2 (worker-2:101)`; `worker-2:101` when the rank is unknown.
std::string place_text(const Model& model, Index process);

}  // namespace nccl_analyze
