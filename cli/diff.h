#pragma once
/// `nccl-analyze diff OLD NEW`: compares two runs.

#include "cli/options.h"

namespace nccl_analyze {

/// Returns 0 if both runs show the same, 1 if they differ; throws Failure when the work could not be done.
int run_diff(const Options& options, Log& log);

}  // namespace nccl_analyze
