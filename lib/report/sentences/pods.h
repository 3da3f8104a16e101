#pragma once
/// Describes the pods of Kubernetes manifests in words.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns one line for each pod: name, what its containers ask for, and /dev/shm. The lines are raw log text; lines
/// beyond a limit are only counted.
std::vector<std::string> describe_manifests(const Model& model);

}  // namespace nccl_analyze
