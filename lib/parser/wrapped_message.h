#pragma once
// Recognises sentences that people wrapped when they posted a log.

#include <string_view>

namespace nccl_analyze {

/// Whether the line ends within a sentence.
bool is_open_end(std::string_view line);

/// Whether the line may be the rest of a sentence that someone wrapped. An indented line must begin in lower case.
/// Unless `only_indented`, a line without an indent must begin with an equals sign or a word in lower case; a word with
/// a colon or a path, as in lines of shells, does not count.
bool continues_message(std::string_view line, bool only_indented);

}  // namespace nccl_analyze
