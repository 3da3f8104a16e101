#pragma once
/// Writes and reads the table of stand-ins as text, for `redact --map` and the C interface.

#include <string>
#include <string_view>

#include "redact/redaction.h"

namespace nccl_analyze {

/// Returns the table with its header line: stand-in, kind, original.
std::string table_of_stand_ins(const redact::Redaction& redaction);

/// Presets the stand-ins in the table of an earlier run; skips lines with fewer than three columns. Returns false, and
/// presets nothing, if the text is no such table.
bool read_stand_ins(std::string_view table, redact::Redaction& redaction);

}  // namespace nccl_analyze
