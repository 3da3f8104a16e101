#pragma once
/// The main command: read the inputs, judge the job, write the report.

#include "cli/options.h"

namespace nccl_analyze {

/// The exit status of the program; throws Failure when the work could not be done.
int run_analysis(const Options& options, Log& log);

}  // namespace nccl_analyze
