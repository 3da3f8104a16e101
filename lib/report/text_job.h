#pragma once
/// The job in a few words: software, hosts, communicators. Nothing here is sanitised yet: wrap() does that.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// `1 host`, `8 hosts`.
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

/// Versions, numbers of hosts and processes, networks: one sentence without a full stop.
std::string describe_processes(const Model& model);

/// `pods llama-worker-[0-15]`; empty when no line tells one.
std::string describe_pods(const Model& model);

/// `2 jobs in this input, on the same GPUs`, then a line a job with where it stands and what was found in it; empty
/// when it is one.
std::vector<std::string> describe_jobs(const Model& model, const Report& report);

/// One text a group of communicators that look the same, the largest first.
/// `one_by_one`: no groups.
std::vector<std::string> describe_communicators(const Model& model, bool one_by_one);

/// `1 of 4 ranks` when ranks of a communicator are not in the input, of the largest such; else empty.
std::string describe_missing_ranks(const Model& model);

}  // namespace nccl_analyze
