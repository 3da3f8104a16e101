// Folds messages word by word: a word that is a number as a whole (`1b`) becomes `#`; in any other word (`mlx5`), each
// run of digits becomes `#`.

#include "model/wording.h"

#include <algorithm>
#include <variant>

#include "messages/phrases.h"
#include "text/digits.h"

namespace nccl_analyze {

namespace {

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_alphanumeric(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether the word is a decimal or hexadecimal number: 17, 0x7f3a, 1b. At least one digit is required, so `add` is not
/// a number.
bool is_number(std::string_view word) {
  if (word.starts_with("0x")) return word.size() > 2 && std::ranges::all_of(word.substr(2), is_hex);
  return std::ranges::all_of(word, is_hex) && std::ranges::any_of(word, is_digit);
}

void append_folded(std::string& out, std::string_view word) {
  if (is_number(word)) {
    out += '#';
    return;
  }
  for (std::size_t i = 0; i < word.size(); ++i)
    if (!is_digit(word[i]))
      out += word[i];
    else if (i == 0 || !is_digit(word[i - 1]))
      out += '#';
}

}  // namespace

std::string fold_numbers(std::string_view message) {
  if (std::ranges::none_of(message, is_digit)) return std::string(message);
  std::string folded;
  while (!message.empty()) {
    const auto end = std::ranges::find_if_not(message, is_alphanumeric);
    const std::string_view word = message.substr(0, static_cast<std::size_t>(end - message.begin()));
    if (word.empty())
      folded += message.front();
    else
      append_folded(folded, word);
    message.remove_prefix(std::max<std::size_t>(1, word.size()));
  }
  return folded;
}

PhraseSeen phrase_of(const Record& record) {
  if (const auto* const seen = std::get_if<PhraseSeen>(&record.event)) return *seen;
  const bool is_warning = warns(record.level);
  const auto* const warned = std::get_if<Warned>(&record.event);
  // the topic of a row was assigned by hand and takes precedence, unless it names no specific rule
  const bool decided =
      warned != nullptr && !warned->topic.empty() && warned->topic != "none" && warned->topic != "internal-error";
  const bool unread = is_warning ? !decided : std::holds_alternative<Unrecognized>(record.event);
  if (!unread) return {};
  const FoundPhrase found = find_phrase(record.message);
  if (!found || found.softened || (!is_warning && found.phrase->printed_by != PrintedBy::nccl)) return {};
  return {found.words, found.phrase->rule};
}

}  // namespace nccl_analyze
