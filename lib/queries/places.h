#pragma once
/// Formats the host, pid, ranks and inferred version of a process for messages.

#include <span>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns `worker-2:101`; `worker-2` if the pid is unknown.
std::string process_text(const Process& process);
/// Returns `rank 2 (worker-2:101)`, with the ranks in the first communicator of the process; `worker-2:101` if it has
/// none.
std::string rank_and_process_text(const Model& model, Index process);

/// Returns `NCCL 2.18.3 to 2.18.6 by the places in its messages`.
std::string inferred_version_text(const InferredVersion& inferred);
/// Returns the distinct inferred versions. Versions that have releases in common are replaced by these releases, since
/// the processes of a job mostly load one library.
std::vector<InferredVersion> merged_versions(std::span<const InferredVersion* const> inferred);

}  // namespace nccl_analyze
