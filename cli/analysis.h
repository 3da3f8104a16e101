#pragma once
/// Analysis of logs and of summaries: reads the inputs, judges the job, writes the report.

#include <string>

#include "cli/options.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Lists the first communicators with their numbers for a sentence: `the communicators of this input are dp (#0)`.
std::string known_communicators(const Model& model);

/// Reads the requirements that the options name, and no log. Returns 0; throws Failure when run_analysis() would
/// because of the options.
int check_analysis(const Options& options, Log& log);

/// Returns the exit status of the program; throws Failure when the work could not be done.
int run_analysis(const Options& options, Log& log);

}  // namespace nccl_analyze
