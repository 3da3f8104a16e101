#pragma once
/// `nccl-analyze mcp FOLDER ...`: a Model Context Protocol server on standard input and output.

#include "cli/options.h"

namespace nccl_analyze {

/// Answers the messages on standard input, one a line, until it ends or the reader of standard output is gone. Returns
/// the exit status; throws Failure if a folder cannot be read or an answer cannot be written.
int run_mcp(const Options& options, Log& log);

}  // namespace nccl_analyze
