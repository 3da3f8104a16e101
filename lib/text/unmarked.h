#pragma once
// Finds records without the marker `NCCL `. NCCL up to 2.3 did not print it, and people remove it from logs that they
// post.

#include <string_view>

#include "text/prefix.h"

namespace nccl_analyze {

/// Whether a line without a marker is a record.
enum class Unmarked : std::uint8_t {
  none,
  likely,  ///< The line is a record if a row of the message table matches its message.
  certain
};

/// Parses `host:pid:tid [d] INFO message`, `[d] file.cc:12 WARN message`, or a message without a prefix whose first
/// words only NCCL and its plugins use. Fills `record` unless the result is `none`.
Unmarked read_unmarked(std::string_view line, RecordView& record);

}  // namespace nccl_analyze
