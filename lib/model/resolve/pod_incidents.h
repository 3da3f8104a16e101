#pragma once
// Assigns incidents about pods to processes.

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Sets the process of each incident about a pod, if the pod has exactly one process. Marks incidents that did not harm
/// this job as survived. Requires resolve_incidents().
void join_pod_incidents(Model& model);

}  // namespace nccl_analyze::builder
