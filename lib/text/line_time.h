#pragma once
// Reads the time of a line of a log, as loggers, collectors and the exports of log stores print it.

#include <string_view>

#include "text/timestamp.h"

namespace nccl_analyze {

/// Reads the time of a line: in a plain line, a time at its start, after the marks that loggers print before it; in a
/// line of JSON, the time of its first entry; in a row of cells, a time in a cell after the message. Times within a
/// message do not count.
Timestamp time_of_line(std::string_view line);

/// Reads the time of an entry from a field of a log store.
Timestamp time_of_field(std::string_view text);

/// Whether a line begins an entry of a log store. The further lines of an entry have no time. If a row has the message
/// in a quoted cell before the time, only the last line of the entry has the time.
bool begins_entry(std::string_view line);

}  // namespace nccl_analyze
