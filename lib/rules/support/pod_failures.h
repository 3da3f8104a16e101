#pragma once
/// Findings about pods of the job that failed or did not start, as Kubernetes reports them.

#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Whether the incident is about a pod or a container, from `kubectl get pods` or `kubectl get events`.
bool is_of_pod(const Incident& incident);

/// Returns one finding for each way in which pods failed, with the names of these pods. Incidents for which
/// stage_of_end() returns nullopt are left out.
std::vector<Finding> pod_findings(const Model& model);

}  // namespace nccl_analyze
