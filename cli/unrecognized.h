#pragma once
/// `--unrecognized`: lists the wordings that no row of the message table matches.

#include "cli/options.h"

namespace nccl_analyze {

/// Returns the exit status of the program; throws Failure when the work could not be done.
int run_unrecognized(const Options& options, Log& log);

}  // namespace nccl_analyze
