#pragma once
// Recognises sentences that people wrapped when they posted a log.

#include <string_view>

namespace nccl_analyze {

/// Whether the line may end within a sentence: its last character is no full stop, `!`, `?` or quote. False for a blank
/// line.
bool is_open_end(std::string_view line);

/// Whether the line may be the rest of a sentence that someone wrapped: an indented line that begins in lower case or,
/// unless `only_indented`, any line that begins with `=` and a value, or with a lower-case word without a colon or a
/// path. False for frames of a stack trace.
bool continues_message(std::string_view line, bool only_indented);

}  // namespace nccl_analyze
