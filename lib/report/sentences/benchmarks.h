#pragma once
/// Describes the runs of nccl-tests in words.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns two lines for each run (operation, ranks, transports, peak and average bus bandwidth, and the number of
/// wrong values; bandwidth by size), and a line for each operation that was run on different numbers of hosts. The
/// lines are raw log text; lines beyond a limit are only counted.
std::vector<std::string> describe_benchmarks(const Model& model);

}  // namespace nccl_analyze
