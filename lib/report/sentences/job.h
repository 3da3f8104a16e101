#pragma once
/// Describes the job in a few sentences: its software, processes and pods. Names from the log are not escaped; the
/// report writers escape them.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Describes versions, numbers of processes and hosts, and networks, in one line without a full stop.
std::string describe_processes(const Model& model);

/// Lists the names of pods, and the pods of manifests without a process in this input: `pods llama-worker-[0-15]; no
/// NCCL line of 1 of the 17 pods in the manifests: llama-worker-16`. Empty if no pod is known.
std::string describe_pods(const Model& model);

/// Returns a line such as `2 jobs in this input, on the same GPUs`, then a line for each of the first four jobs with
/// its status, findings and processes. Empty if the input has a single job.
std::vector<std::string> describe_jobs(const Model& model, const Report& report);

}  // namespace nccl_analyze
