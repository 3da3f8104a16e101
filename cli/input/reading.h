#pragma once
/// All inputs, one after the other, as records; what cannot be read is named in the log.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "cli/input/inputs.h"
#include "cli/logging.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze {

struct RecordSink {
  Parser::Sink record;
  /// After the last record of each source.
  std::function<void(SourceId source, std::string_view name, const ParseStats& stats)> source_read;
  std::function<bool()> wanted;  ///< False: read no further.
};

struct ReadCounts {
  std::uint32_t sources = 0;
  std::uint64_t nccl_lines = 0;
  std::size_t failures = 0;     ///< Inputs that could not be read, or not to their end.
  std::size_t passed_over = 0;  ///< Sources that are no logs but what this program has written.
};

ReadCounts read_inputs(const InputList& list, const RecordSink& sink, bool show_progress, Log& log);

/// True when something was read; says in the log what is odd about the input as a whole.
bool check_read(const ReadCounts& counts, Log& log);

}  // namespace nccl_analyze
