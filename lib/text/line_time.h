#pragma once
// Reads the time of a line of a log, as loggers, collectors and the exports of log stores print it.

#include <string_view>

#include "text/timestamp.h"

namespace nccl_analyze {

/// The time of a line: at its start, behind the marks that loggers put before it; of a line of JSON, the time of its
/// first entry; of a row of cells, a time in a cell behind the words. Times in the words of a program do not count.
Timestamp time_of_line(std::string_view line);

/// The time of an entry as a store prints it in a field.
Timestamp time_of_field(std::string_view text);

/// Whether a line begins an entry of a log store. The entry's further lines have no time, or, in a quoted cell that
/// stands before the time, only the last of them.
bool begins_entry(std::string_view line);

}  // namespace nccl_analyze
