#pragma once
/// Several inputs parsed at once; what comes out is what one thread would give.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "inputs.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/record_batch.h"

namespace nccl_analyze {

/// Everything about the inputs, in the order of one thread that reads them one after the other; all calls come from the
/// caller's thread.
struct ParsedSink {
  std::function<void(std::string_view name)> begin;
  /// Records of the source that has begun; which one it is, only the caller can number. False: read no further.
  std::function<bool(RecordBatch& records, std::size_t bytes_read)> records;
  std::function<void(const ParseStats& stats)> end;
  std::function<void(const std::string& sentence)> failed;
};

/// Parses on `threads` threads, at least one, while the caller's takes the records. Each thread is a few megabytes
/// ahead at most.
void parse_inputs(const InputList& list, unsigned threads, const ParsedSink& sink);

}  // namespace nccl_analyze
