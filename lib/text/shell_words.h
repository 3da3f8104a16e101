#pragma once
/// Command lines as one would type them.

#include <span>
#include <string>

namespace nccl_analyze {

/// Joins words so that a POSIX shell splits them again into the same words: a word with characters that mean something
/// to a shell, and an empty one, stands in single quotes.
std::string shell_words(std::span<const char* const> words);

}  // namespace nccl_analyze
