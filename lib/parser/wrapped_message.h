#pragma once
// Recognises sentences that people wrapped when they posted a log.

#include <string_view>

namespace nccl_analyze {

/// Whether the line ends within a sentence.
bool is_open_end(std::string_view line);

/// Whether the line may be the rest of a sentence that someone wrapped: a line that is indented and begins in lower
/// case, or (unless `only_indented`) one that begins with a word in lower case or an equals sign, and not with the name
/// of a program, as lines of a shell do.
bool continues_message(std::string_view line, bool only_indented);

}  // namespace nccl_analyze
