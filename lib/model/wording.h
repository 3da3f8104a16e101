#pragma once
// Replaces numbers in messages, and finds known phrases in messages that no row of the message table matches.

#include <string>
#include <string_view>

#include "nccl_analyze/parser.h"

namespace nccl_analyze {

/// Replaces each decimal or hexadecimal number in the message by `#`.
std::string fold_numbers(std::string_view message);

/// Finds a known phrase in a warning whose row assigns no rule, or in any other message that no row matches; in the
/// latter only phrases that NCCL itself prints. Empty for all other records. Damaged messages that are no warnings are
/// not searched, because their missing rest may be harmless.
PhraseSeen phrase_of(const Record& record);

}  // namespace nccl_analyze
