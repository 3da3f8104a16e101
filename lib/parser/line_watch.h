#pragma once
// Shows the lines that a parser reads to another reader of the same bytes: lib/redact decides by line what the analysis
// uses, and reading each line a second time would cost more than the analysis.

#include <cstdint>
#include <functional>
#include <string_view>

#include "nccl_analyze/parser.h"

namespace nccl_analyze {

struct LineWatch {
  using Show = std::function<void(std::string_view line, std::uint64_t number)>;
  /// Sets the function that is called with each line before the parser reads it. It is not called for lines with one
  /// plain record (PlainLine), because the sink receives those.
  static void set(Parser& parser, Show show);
  /// Returns the number of the line that the parser is reading, or has read last.
  static std::uint64_t last_line(const Parser& parser);
  /// Whether the parser reads all further lines of the source one by one. False for a source that begins with JSON,
  /// because documents of several lines may follow anywhere.
  static bool reads_lines_only(const Parser& parser);
};

}  // namespace nccl_analyze
