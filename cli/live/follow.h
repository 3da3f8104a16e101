#pragma once
/// `--follow`: inputs that are still written, and what is told of the job meanwhile.

#include <chrono>
#include <functional>
#include <span>
#include <string_view>

#include "cli/input/inputs.h"
#include "cli/input/reading.h"
#include "cli/live/live.h"
#include "cli/logging.h"

namespace nccl_analyze {

/// A source as far as it is read.
struct SourceSoFar {
  SourceId source{};
  std::string_view name;
  const ParseStats* stats = nullptr;
};

struct Following {
  std::function<Snapshot(std::span<const SourceSoFar>)> look;
  std::chrono::milliseconds stall{};
  bool tell = true;  ///< False: the report at the end is all that is wanted.
};

/// Reads until every input has ended or the user ends it (SIGINT, SIGTERM); files do not end. Throws Failure on an
/// input that cannot be followed.
ReadCounts follow_inputs(const InputList& list, const RecordSink& sink, const Following& following, Log& log);

}  // namespace nccl_analyze
