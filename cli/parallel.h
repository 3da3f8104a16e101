#pragma once
/// Files parsed at the same time, each by one thread; what comes out is what one thread would give.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "inputs.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze {

/// Everything about the inputs, in the order of one thread that reads them one after the other; all calls come from the
/// caller's thread.
struct ParsedSink {
  /// Returns the number of the source that begins.
  std::function<SourceId(std::string_view name)> begin;
  std::function<void(const Record&)> record;
  /// So many bytes more are read. False: read no further.
  std::function<bool(std::size_t bytes)> wanted;
  std::function<void(const ParseStats& stats)> end;
  std::function<void(const std::string& sentence)> failed;
};

/// Parses on at most `threads` threads, the caller's included. The others are a few megabytes of records ahead.
void parse_inputs(const std::vector<Input>& inputs, unsigned threads, const ParsedSink& sink);

}  // namespace nccl_analyze
