#pragma once
/// Reads all inputs, one after the other, as records; inputs that cannot be read are reported in the log.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "input/input_wait.h"
#include "input/inputs.h"
#include "input/logging.h"
#include "input/save.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze {

/// Receives the records of all inputs.
struct RecordSink {
  Parser::Sink record;
  /// Called after the last record of each source.
  std::function<void(SourceId source, std::string_view name, const ParseStats& stats)> source_read;
  std::function<bool()> wanted;  ///< Called before each input and after each block; false stops the reading.
  /// As SourceSink::wait. Empty: Ctrl-C ends the reading, and a long silence is reported.
  WaitForBytes wait = {};
  SourceId first = {};        ///< The number of the first source; later sources have the next numbers.
  StdinCopy* save = nullptr;  ///< The copy of standard input, if one is wanted.
};

/// The counts of all inputs together.
struct ReadCounts {
  std::uint32_t sources = 0;
  std::uint64_t nccl_lines = 0;
  std::size_t failures = 0;  ///< Inputs that could not be read to their end.
  /// Details of the first failures, and of documents of other tools that could not be used.
  std::vector<ReadFailure> unreadable = {};
  /// Sources that were left out: output of this program, and files of other tools that are not supported.
  std::size_t skipped = 0;
};

ReadCounts read_inputs(const InputList& list, const RecordSink& sink, bool show_progress, Log& log);

/// Converts failures to the type that the model contains.
std::vector<UnreadableInput> unreadable_inputs(const std::vector<ReadFailure>& failures);

/// Returns whether at least one source was read. Reports in the log if there was no source, or neither an NCCL line nor
/// output of other tools (Model::has_tool_output()).
bool check_read(const ReadCounts& counts, bool has_tool_output, Log& log);

}  // namespace nccl_analyze
