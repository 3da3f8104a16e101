#pragma once
/// Computes bus bandwidths from the durations that the NCCL Inspector and PyTorch's flight recorder wrote down.

#include <cstddef>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "queries/bandwidth_limits.h"

namespace nccl_analyze {

/// The shortest duration of the largest message of an operation on a communicator, over all ranks that recorded one. It
/// may include the time in which the rank waited for others, so that the links carried at least this bandwidth.
struct RecordedRun {
  const RecordedDuration* shortest = nullptr;
  std::size_t ranks = 0;  ///< The number of ranks that recorded this size.
  double busbw = 0;       ///< GB/s, by the formula of nccl-tests (doc/PERFORMANCE.md).
};
/// Returns the runs in the order of Model::durations.
std::vector<RecordedRun> recorded_runs(const Model& model);

/// Returns the run in the form of nccl-tests. It has no list of ranks if the communicator is not in the input.
Benchmark as_benchmark(const Model& model, const RecordedRun& run);
/// Compares a run in this form with what the links can carry. The result points into the run.
Reach find_recorded_reach(const Model& model, const Benchmark& run);

/// The tool that recorded it: `NCCL Inspector`, `flight recorder`.
std::string_view tool_of(const RecordedRun& run);

}  // namespace nccl_analyze
