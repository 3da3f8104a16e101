#pragma once
/// Finds settings in a step that are newer than the NCCL of the log.

#include <string>
#include <string_view>

#include "rules/advice/facts.h"

namespace nccl_analyze {

/// Returns ` (NCCL reads `NCCL_ALGO` since 2.5.6.)` for the settings of the text that are newer than the NCCL of a
/// process of the finding. Empty if there are none, if no version is known, and for RCCL.
std::string later_settings_text(std::string_view text, const Facts& facts);

}  // namespace nccl_analyze
