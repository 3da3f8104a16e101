#pragma once
/// Reads one run for a comparison.

#include <string>

#include "cli/logging.h"
#include "nccl_analyze/compare.h"

namespace nccl_analyze {

/// The facts of the run behind a path: logs and summaries in any mixture, or one JSON report. Throws Failure when
/// nothing in the path is of NCCL.
RunFacts read_run(const std::string& path, Log& log);

}  // namespace nccl_analyze
