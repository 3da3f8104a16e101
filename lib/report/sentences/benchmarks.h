#pragma once
/// Describes the bandwidths that nccl-tests measured, or that follow from durations, in words.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns up to four lines for each run: its operation, ranks, transports, peak and average bus bandwidth, the size
/// from which on it has its level, and wrong values; its bandwidth by size; that in place beside that out of place, if
/// they differ much; and that of the largest size beside what the links can carry. A line follows for each operation
/// that was run on different numbers of hosts, for each group of runs that
/// differ only in their hosts, and for each operation of which other tools recorded durations. The lines are not
/// escaped. Runs beyond a limit are only counted.
std::vector<std::string> describe_benchmarks(const Model& model);

}  // namespace nccl_analyze
