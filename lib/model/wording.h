#pragma once
// What is the same in messages that differ in their numbers alone, and what the words of an unread one speak for.

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
