#pragma once
/// Summaries from files and standard input.

#include "inputs.h"
#include "logging.h"
#include "nccl_analyze/summary.h"
#include "reading.h"

namespace nccl_analyze {

/// Adds all summaries; what is none is named in the log and left out.
ReadCounts read_summaries(const InputList& list, Summary& into, Log& log);

}  // namespace nccl_analyze
