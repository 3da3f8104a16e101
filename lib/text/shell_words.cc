// Quotes the words of a command line.

#include "text/shell_words.h"

#include <cstddef>
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

std::string shown_command(std::string_view program, std::span<const char* const> words) {
  constexpr std::string_view hook = "--on-finding";
  constexpr std::size_t longest = 2000;
  std::string line(program);
  bool is_hidden = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    std::string next = shell_words(words.subspan(i, 1));
    if (is_hidden) next = "...";
    if (word.starts_with(hook) && word.substr(hook.size()).starts_with('=')) next = "--on-finding=...";
    if (line.size() + next.size() > longest)
      return line.append(" ... and ").append(std::to_string(words.size() - i)).append(" more words");
    line.append(" ").append(next);
    is_hidden = word == hook;
  }
  return line;
}

}  // namespace nccl_analyze
