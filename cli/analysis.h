#pragma once
/// Analysis of logs and of summaries: reads the inputs, judges the job, writes the report.

#include "cli/options.h"

namespace nccl_analyze {

/// Returns the exit status of the program; throws Failure when the work could not be done.
int run_analysis(const Options& options, Log& log);

}  // namespace nccl_analyze
