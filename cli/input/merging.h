#pragma once
/// Reads summaries from files and standard input.

#include "cli/input/inputs.h"
#include "cli/input/reading.h"
#include "cli/logging.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Merges all readable summaries into `into`. Other inputs are reported in the log and left out.
ReadCounts read_summaries(const InputList& list, Summary& into, Log& log);

}  // namespace nccl_analyze
