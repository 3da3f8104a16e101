#pragma once
// Finds NCCL records inside a line: `host:pid:tid [dev] [location] NCCL LEVEL message`, wherever they stand in it.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "nccl_analyze/parser.h"

namespace nccl_analyze {

/// What a record's message ends at.
enum class RecordEnd : std::uint8_t {
  line,
  blank,
  record
};  ///< The line's end; the next record, after a blank or not.

/// One record inside a line, as views into the line.
struct FoundRecord {
  Level level = Level::info;
  Origin origin;            ///< Without the wrapper's parts.
  bool has_prefix = false;  ///< host:pid:tid was readable.
  std::size_t start = 0;    ///< Where the record begins: its time stamp, or its host.
  std::string_view message;
  std::string_view text;
  RecordEnd ended = RecordEnd::line;
};

/// Appends every record of `line` to `found`, and version lines that have no prefix or are quoted by others. A line
/// without one appends nothing. The message of a record ends where
/// the next one begins, at a carriage return, or at the end of the line.
void find_records(std::string_view line, std::vector<FoundRecord>& found);

}  // namespace nccl_analyze
