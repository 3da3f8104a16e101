#pragma once
/// Inputs parsed on several threads; what comes out is what one thread would give.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

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

/// Parses on `threads` threads, at least one, while the caller's takes the records. They are a megabyte ahead each, or
/// two.
void parse_inputs(const InputList& list, unsigned threads, const ParsedSink& sink);

}  // namespace nccl_analyze
