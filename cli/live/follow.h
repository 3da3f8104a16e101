#pragma once
/// `--follow`: reads inputs that are still being written and reports on the job meanwhile.

#include <chrono>
#include <functional>
#include <span>
#include <string_view>

#include "cli/input/inputs.h"
#include "cli/input/reading.h"
#include "cli/live/live.h"
#include "cli/logging.h"

namespace nccl_analyze {

/// A source that has not ended, with its counts so far.
struct SourceSoFar {
  SourceId source{};
  std::string_view name;
  const ParseStats* stats = nullptr;
};

/// The options of --follow.
struct Following {
  /// Judges the log so far.
  std::function<Snapshot(std::span<const SourceSoFar>)> look;
  std::chrono::milliseconds stall{};  ///< Silence after which a message describes what the job waits for; 0: none.
  bool tell = true;                   ///< False: only the report at the end is wanted.
};

/// Reads until every input has ended or a signal (SIGINT, SIGTERM) comes; files have no end. Throws Failure on an input
/// that cannot be followed.
ReadCounts follow_inputs(const InputList& list, const RecordSink& sink, const Following& following, Log& log);

}  // namespace nccl_analyze
