#pragma once
// Finds records without the marker `NCCL `: NCCL up to 2.3 printed none, and posters cut prefixes off.

#include <string_view>

#include "text/prefix.h"

namespace nccl_analyze {

/// Whether a line without a marker is a record.
enum class Unmarked : std::uint8_t {
  none,
  likely,  ///< It is one if a row of the message table matches its message.
  certain
};

/// Reads `host:pid:tid [d] INFO message`, `[d] file.cc:12 WARN message`, or a message without a prefix that begins as
/// only those of NCCL and its plugins do. Fills `record` unless the result is `none`.
Unmarked read_unmarked(std::string_view line, RecordView& record);

}  // namespace nccl_analyze
