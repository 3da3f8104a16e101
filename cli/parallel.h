#pragma once
/// Inputs parsed on several threads; what comes out is what one thread would give.

#include <cstddef>
#include <cstdint>
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
  /// Records of the source that has begun; which one it is, only the caller can number. Their lines are numbered from
  /// behind `lines_before`. False: read no further.
  std::function<bool(RecordBatch& records, std::uint64_t lines_before, std::size_t bytes_read)> records;
  std::function<void(const ParseStats& stats)> end;
  std::function<void(const std::string& sentence)> failed;
};

/// Parses on `threads` threads, at least one, while the caller's takes the records. They are a megabyte ahead each, or
/// two.
void parse_inputs(const InputList& list, unsigned threads, const ParsedSink& sink);

}  // namespace nccl_analyze
