#pragma once
/// Reads one run for a comparison.

#include <string>

#include "input/input_wait.h"
#include "input/inputs.h"
#include "input/logging.h"
#include "input/protected_inputs.h"
#include "nccl_analyze/compare.h"

namespace nccl_analyze {

/// Returns the facts of the run whose files are at `path`: logs and summaries in any mixture, or one JSON report.
/// Reports beside logs or summaries are left out with a warning. Throws Failure if there is neither an NCCL line nor a
/// report, or if there are only reports and more than one. Adds the files to `read`. `wait`: see InputWait.
RunFacts read_run(const std::string& path, Log& log, ProtectedInputs& read, WaitForBytes wait = {});
/// The same for inputs that are listed already.
RunFacts read_run(const std::string& path, const InputList& list, Log& log, WaitForBytes wait = {});

}  // namespace nccl_analyze
