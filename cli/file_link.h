#pragma once
/// Hyperlinks from the report to the log files, for terminals that support OSC 8.

#include <string>

#include "cli/color.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Whether the terminal is known to support hyperlinks; other terminals may print the escape sequences.
bool supports_hyperlinks(const Environment& environment);

/// Returns the source as `file://HOST/PATH`; empty for standard input, members of archives and other sources without a
/// file.
std::string file_link(const Source& source);

}  // namespace nccl_analyze
