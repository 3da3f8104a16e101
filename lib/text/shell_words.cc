// Quotes the words of a command line.

#include "text/shell_words.h"

#include <string_view>

namespace nccl_analyze {
namespace {

/// Whether a shell takes all characters of the word as they are, wherever in a command the word stands.
bool is_plain_word(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  return !word.empty() && word.find_first_not_of(plain) == std::string_view::npos;
}

}  // namespace

std::string shell_words(std::span<const char* const> words) {
  std::string line;
  for (const std::string_view word : words) {
    if (!line.empty()) line += ' ';
    if (is_plain_word(word)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) {
      if (c == '\'') line += "'\\'";  // ends the quotes, and begins them again behind a quote
      line += c;
    }
    line += '\'';
  }
  return line;
}

}  // namespace nccl_analyze
