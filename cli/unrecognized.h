#pragma once
/// `--unrecognized`: what the table of messages does not know yet.

#include "cli/options.h"

namespace nccl_analyze {

/// The exit status of the program; throws Failure when the work could not be done.
int run_unrecognized(const Options& options, Log& log);

}  // namespace nccl_analyze
