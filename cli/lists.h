#pragma once
/// The commands that print the program's own tables and texts: rules, profiles, schemas.

#include "cli/options.h"
#include "input/logging.h"

namespace nccl_analyze {

// Each function writes to standard output and returns the exit status. It throws Failure if the work cannot be done.
int run_rules(const Options& options, Log& log);
int run_explain(const Options& options, Log& log);
int run_profiles(const Options& options, Log& log);
int run_expect_bandwidth(const Options& options, Log& log);
int run_print(const Options& options, Log& log);

}  // namespace nccl_analyze
