#pragma once
// Messages without their numbers, and well-known phrases in messages that no row reads.

#include <string>
#include <string_view>

#include "nccl_analyze/parser.h"

namespace nccl_analyze {

/// The message with each number, decimal or hexadecimal, as `#`.
std::string fold_numbers(std::string_view message);

/// The well-known phrase of a record that no row reads, or that is cut; empty in any other. Where NCCL itself takes
/// what happened for no more than information, only words of its own count, and a record that is cut may go on
/// harmlessly.
PhraseSeen phrase_of(const Record& record);

}  // namespace nccl_analyze
