#pragma once
// Reads the lines of a summary that have a record of the usual form, many times faster than a general JSON parser.

#include <string_view>

#include "model/summary/summary_parts.h"

namespace nccl_analyze::builder {

/// Reads `[12, 3, "message"]` or `[12, 3, "message", {"channels": [[13, 1], [14, 2]]}]`, in the layout of
/// write_summary(), with a message of printable ASCII that needs no escapes. Returns false for any other line, which
/// may still be a record; `into` is then undefined.
bool read_plain_record(std::string_view line, SummaryRecord& into);

}  // namespace nccl_analyze::builder
