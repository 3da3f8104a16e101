#pragma once
/// Describes the job in a few sentences: its software, processes and pods. The sentences hold names
/// from the log as they are; the report writers escape them.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Describes versions, numbers of processes and hosts, and networks, in one sentence without a full stop.
std::string describe_processes(const Model& model);

/// Lists the names of pods: `pods llama-worker-[0-15]`; empty if no line names a pod.
std::string describe_pods(const Model& model);

/// Returns a line such as `2 jobs in this input, on the same GPUs`, then a line for each job with its status and
/// findings. Empty if the input has a single job.
std::vector<std::string> describe_jobs(const Model& model, const Report& report);

}  // namespace nccl_analyze
