#pragma once
// Lists the fixed vocabulary of redacted logs: words that tell nothing about the owner of a log.

#include <span>
#include <string_view>

namespace nccl_analyze::redact {

/// Returns lists of words in lower case, with blanks between the words.
std::span<const std::string_view> harmless_words();

}  // namespace nccl_analyze::redact
