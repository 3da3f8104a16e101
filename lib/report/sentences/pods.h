#pragma once
/// Describes the pods of Kubernetes manifests in words.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns one line for each pod: its name, the resources and rights of its containers, and /dev/shm. The lines are not
/// escaped; pods beyond a limit are only counted.
std::vector<std::string> describe_manifests(const Model& model);

}  // namespace nccl_analyze
