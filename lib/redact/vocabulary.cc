#include "redact/vocabulary.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "messages/phrases.h"
#include "messages/row.h"
#include "redact/bytes.h"

namespace nccl_analyze::redact {

namespace {

using Words = std::unordered_set<std::string>;

/// Adds the words of a text, and the parts of those that have separators.
void add_words(std::string_view text, Words& words) {
  const auto is_part_byte = [](char c) { return is_name_byte(c) && !is_separator(c); };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = end_of(text, at, is_name_byte);
    words.insert(lowered(text.substr(at, end - at)));
    while (at < end) {
      const std::size_t part = end_of(text, at, is_part_byte);
      words.insert(lowered(text.substr(at, part - at)));
      at = std::min(part + 1, end);
    }
  }
}

const Words& words_of_messages() {
  static const Words all = [] {
    Words words;
    for (const Family& family : all_families())
      for (const Row& row : family.rows) add_words(row.wording, words);
    for (const Phrase& phrase : phrases()) {
      add_words(phrase.words, words);
      add_words(phrase.with, words);
    }
    add_words(
        "localhost unknown info warn trace call version stdout stderr pod log err out txt json xml jsonl py sh gz "
        "input output",
        words);
    return words;
  }();
  return all;
}

bool is_device(std::string_view word) {
  constexpr std::size_t most_digits = 2;
  constexpr std::string_view kinds[] = {"gpu", "nic", "eth", "ib", "cpu", "rank", "net", "bond", "mlx5_"};
  for (const std::string_view kind : kinds)
    if (word.starts_with(kind) && word.size() - kind.size() <= most_digits &&
        end_of(word, kind.size(), is_digit) == word.size())
      return true;
  return false;
}

}  // namespace

bool is_common_word(std::string_view word) {
  return is_device(word) || words_of_messages().contains(std::string(word));
}

}  // namespace nccl_analyze::redact
