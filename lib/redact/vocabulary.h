#pragma once
// The words of the fixed vocabulary, which any log may hold. A host whose name is such a word is replaced only where a
// host is named, and no stand-in is such a word.

#include <string_view>

namespace nccl_analyze::redact {

/// Whether a word, in lower case, is in a message of NCCL or a phrase of failures, or is the usual name of a device
/// (`gpu0`).
bool is_common_word(std::string_view word);

/// Whether a word, in lower case, is a common word or one of words.h. It may stay everywhere except where only names
/// stand.
bool is_harmless_word(std::string_view word);

/// Whether a word, in lower case, is a prefix of a harmless word.
bool begins_harmless_word(std::string_view word);

}  // namespace nccl_analyze::redact
