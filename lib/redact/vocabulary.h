#pragma once
// Words that logs hold anyway. A host of such a name is replaced only where a host stands, and no stand-in is such a
// word.

#include <string_view>

namespace nccl_analyze::redact {

/// Whether a word, in lower case, is one of NCCL's own messages, of failure phrases, or the usual name of a device
/// (`gpu0`).
bool is_common_word(std::string_view word);

/// Whether a word, in lower case, is a common word or one of words.h: one that may stay wherever it stands.
bool is_harmless_word(std::string_view word);

/// Whether a word, in lower case, is the beginning of one that may stay.
bool begins_harmless_word(std::string_view word);

}  // namespace nccl_analyze::redact
