#pragma once
/// `merge --follow`: reports the state of a job whose nodes replace their summaries while the job runs.

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "cli/live/live.h"
#include "input/logging.h"
#include "input/reading.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

struct MergeFollowOptions {
  /// Judges the job as the summaries show it.
  std::function<Analysis(Summary)> snapshot;
  /// A message also names each summary that is not replaced for the time `stall` although others are. `rest` is
  /// ignored.
  MessageOptions messages;
};

/// Reads the summaries below the paths, and each again when it is replaced, until the condition of --until holds or
/// SIGINT or SIGTERM arrives; then stores the merge of them all in `into`. While a file is damaged, its last undamaged
/// content counts. A path need not exist yet. Throws Failure for standard input, which cannot be replaced.
ReadCounts follow_summaries(const std::vector<std::string>& paths, Summary& into, const MergeFollowOptions& following,
                            Log& log);

}  // namespace nccl_analyze
