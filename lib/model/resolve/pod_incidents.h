#pragma once
// Incidents about pods.

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Finds the processes of incidents about pods. Marks incidents that did not harm this job as survived. Requires
/// resolve_incidents().
void join_pod_incidents(Model& model);

}  // namespace nccl_analyze::builder
