#pragma once
/// Describes the job in a few sentences: software, hosts, communicators. The texts are raw log text; writers escape
/// them, for example with wrap().

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// `1 host`, `8 hosts`.
std::string count_text(std::uint64_t count, std::string_view one, std::string_view many);

/// Versions, numbers of hosts and processes, networks: one sentence without a full stop.
std::string describe_processes(const Model& model);

/// `pods llama-worker-[0-15]`; empty if no line names a pod.
std::string describe_pods(const Model& model);

/// `2 jobs in this input, on the same GPUs`, then a line for each job with its status and findings; empty if the input
/// holds a single job.
std::vector<std::string> describe_jobs(const Model& model, const Report& report);

/// One text for each group of communicators with the same description, the largest first. `one_by_one` disables
/// grouping.
std::vector<std::string> describe_communicators(const Model& model, bool one_by_one);

/// `1 of 4 ranks`: how many ranks of the largest incomplete communicator have logs in this input. Empty if no rank is
/// missing.
std::string describe_missing_ranks(const Model& model);

}  // namespace nccl_analyze
