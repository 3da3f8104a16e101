#pragma once
// Replaces numbers in messages, and finds known phrases in messages that no row of the message table matches.

#include <string>
#include <string_view>

#include "nccl_analyze/parser.h"

namespace nccl_analyze {

/// Replaces each decimal or hexadecimal number in the message, and each run of digits within a word, by `#`: `mlx5`
/// becomes `mlx#`.
std::string fold_numbers(std::string_view message);

/// Finds a known phrase of failures in the message of a record. In a warning, any phrase counts, unless the row of the
/// warning names a specific rule. In any other message, the phrase must be one that NCCL itself prints, and no row may
/// match the message. Returns an empty phrase otherwise, also for damaged messages that are no warnings, because their
/// missing rest may show that they are harmless.
PhraseSeen phrase_of(const Record& record);

}  // namespace nccl_analyze
