#pragma once
// Incidents about pods.

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Finds the processes of incidents about pods. Marks those that did this job no harm as survived. Requires
/// resolve_incidents().
void join_pod_incidents(Model& model);

}  // namespace nccl_analyze::builder
