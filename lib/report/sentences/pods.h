#pragma once
/// Describes the pods of Kubernetes manifests in words, and writes them as JSON.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "text/json_writer.h"

namespace nccl_analyze {

/// Returns one line for each pod: name, what its containers ask for, and /dev/shm. The lines are raw log text; lines
/// beyond a limit are only counted.
std::vector<std::string> describe_manifests(const Model& model);

/// Writes the `pods` member of the JSON report.
void write_pods(JsonWriter& json, const Model& model);

}  // namespace nccl_analyze
