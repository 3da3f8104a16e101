#pragma once
/// `--follow`: reads inputs that are still being written and prints the job's state meanwhile.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/live/followed.h"
#include "cli/live/live.h"
#include "input/logging.h"
#include "input/reading.h"

namespace nccl_analyze {

/// The options of --follow.
struct FollowOptions {
  /// Judges the log so far.
  std::function<Analysis(std::span<const OpenSource>)> snapshot;
  MessageOptions messages;
};

/// Reads the files and folders that `paths` name, or standard input, until every input has ended, a signal (SIGINT,
/// SIGTERM) comes or the condition of --until holds. Files and folders have no end. Throws Failure on an input that
/// cannot be followed.
ReadCounts follow_inputs(const std::vector<std::string>& paths, const RecordSink& sink, const FollowOptions& following,
                         Log& log);

}  // namespace nccl_analyze
