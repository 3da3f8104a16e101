#pragma once
/// The commands that print tables of the program itself: rules, profiles, schemas.

#include "cli/options.h"
#include "input/logging.h"

namespace nccl_analyze {

// Each function writes to standard output and returns the exit status; throws Failure if it cannot.
int run_rules(const Options& options, Log& log);
int run_explain(const Options& options, Log& log);
int run_profiles(const Options& options, Log& log);
int run_print(const Options& options, Log& log);

}  // namespace nccl_analyze
