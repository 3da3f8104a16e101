#pragma once
/// Command lines as one would type them.

#include <span>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Joins words so that a POSIX shell splits them again into the same words: a word with characters that mean something
/// to a shell, and an empty one, stands in single quotes.
std::string shell_words(std::span<const char* const> words);

/// Returns a command for the readers of a page: without the value of `--on-finding`, which may hold a token, and cut
/// behind 2,000 bytes. `words` are those behind the name of the program.
std::string shown_command(std::string_view program, std::span<const char* const> words);

}  // namespace nccl_analyze
