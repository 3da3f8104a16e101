#pragma once
/// Reads summaries from files and standard input.

#include <functional>
#include <string>
#include <vector>

#include "input/input_wait.h"
#include "input/inputs.h"
#include "input/logging.h"
#include "input/reading.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Receives the summaries of an input.
struct SummarySink {
  std::function<void(Summary read)> read;
  /// Reports what could not be read. If a summary is damaged, nothing of its source is passed to `read`.
  std::function<void(const ReadFailure& failure)> failed;
  std::function<bool(int descriptor)> wait;  ///< See SourceSink::wait.
};

/// Reads one input, which may be an archive of summaries.
void read_summary_input(const Input& input, const SummarySink& sink);

/// Logs which jobs the summaries are of, and which inputs the writers of the summaries could not read.
void log_summary_origins(const Summary& summary, Log& log);

/// Merges all readable summaries into `into`. Other inputs are reported in the log and left out. `wait`: see InputWait.
ReadCounts read_summaries(const InputList& list, Summary& into, Log& log, WaitForBytes wait = {});

/// Appends the inputs that the writers of the summaries could not read. Of all entries the first 20 stay.
void add_left_out(const Summary& summary, std::vector<ReadFailure>& unreadable);

}  // namespace nccl_analyze
