#pragma once
/// Explains one line that a user pastes.

#include <iosfwd>
#include <string_view>

#include "nccl_analyze/report.h"

namespace nccl_analyze {

/// Writes what the line means, since and until when it is printed, its part in a failure, the rule that reports it and
/// the rule's steps. The line may have any prefix, be cut, or come from a framework. For a line that nothing
/// recognises, writes the nearest wordings. Returns whether the line was recognised.
bool write_line_page(std::ostream& out, std::string_view line, const TextOptions& options);

}  // namespace nccl_analyze
