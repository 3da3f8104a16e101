#pragma once
/// The table of stand-ins as a text, which `redact --map` and the C interface write and read again.

#include <string>
#include <string_view>

#include "redact/redaction.h"

namespace nccl_analyze {

/// The rows of the table with its head: stand-in, kind, original.
std::string table_of_stand_ins(const redact::Redaction& redaction);

/// Notes the rows of an earlier table. Returns false, and notes nothing, if the text is no such table.
bool fix_stand_ins(std::string_view table, redact::Redaction& redaction);

}  // namespace nccl_analyze
