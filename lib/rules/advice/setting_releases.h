#pragma once
/// Names settings in a step that the NCCL of the log does not read yet.

#include <string>
#include <string_view>

#include "rules/advice/facts.h"

namespace nccl_analyze {

/// ` (NCCL reads `NCCL_ALGO` since 2.5.6.)` for the settings of the text that a process of the finding does not know,
/// by its version; empty if it knows all of them, or if its version is not known.
std::string later_settings_text(std::string_view text, const Facts& facts);

}  // namespace nccl_analyze
