#include "redact/vocabulary.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <unordered_set>

#include "messages/phrases.h"
#include "messages/row.h"
#include "redact/bytes.h"
#include "redact/words.h"

namespace nccl_analyze::redact {

namespace {

/// Finds a std::string_view without making a string of it.
struct Hash : std::hash<std::string_view> {
  using is_transparent = void;
};
using Words = std::unordered_set<std::string, Hash, std::equal_to<>>;

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

const Words& all_words() {
  static const Words all = [] {
    Words words = words_of_messages();
    for (std::string_view list : harmless_words())
      for (std::size_t end = 0; !list.empty(); list.remove_prefix(std::min(end + 1, list.size()))) {
        end = std::min(list.find(' '), list.size());
        words.emplace(list.substr(0, end));
      }
    words.erase("");
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

bool is_common_word(std::string_view word) { return is_device(word) || words_of_messages().contains(word); }

bool is_harmless_word(std::string_view word) { return is_device(word) || all_words().contains(word); }

bool begins_harmless_word(std::string_view word) {
  static const std::set<std::string_view> sorted(all_words().begin(), all_words().end());
  const auto found = sorted.lower_bound(word);
  return found != sorted.end() && found->starts_with(word);
}

}  // namespace nccl_analyze::redact
