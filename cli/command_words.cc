// A state machine over the characters: its state is the open quote, if any, and whether a word has begun.

#include "cli/command_words.h"

#include <cstddef>

#include "text/blanks.h"

namespace nccl_analyze {

std::optional<std::vector<std::string>> split_command(std::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = '\0';
  const auto append = [&](char c) {
    if (!in_word) words.emplace_back();
    in_word = true;
    words.back() += c;
  };
  for (std::size_t at = 0; at < command.size(); ++at) {
    const char c = command[at];
    if (c == '\\' && quote != '\'') {
      if (++at == command.size()) return std::nullopt;
      append(command[at]);
    } else if (quote != '\0' ? c == quote : c == '\'' || c == '"') {
      quote = quote == '\0' ? c : '\0';
      if (!in_word) words.emplace_back();
      in_word = true;
    } else if (quote == '\0' && is_blank(c)) {
      in_word = false;
    } else {
      append(c);
    }
  }
  return quote == '\0' ? std::optional(words) : std::nullopt;
}

}  // namespace nccl_analyze
