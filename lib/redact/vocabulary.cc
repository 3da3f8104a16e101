#include "redact/vocabulary.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "messages/phrases.h"
#include "messages/row.h"
#include "redact/bytes.h"
#include "redact/words.h"

namespace nccl_analyze::redact {

namespace {

/// Holds the words, in lower case. All ten thousand words share one string, because each run of the program builds this
/// table.
class Words {
 public:
  Words() {
    text_.reserve(std::size_t{1} << 18U);
    slots_.resize(std::size_t{1} << 15U);
  }

  /// Adds a word in any case. `is_common`: whether is_common_word() accepts the word.
  void add(std::string_view word, bool is_common) {
    if (word.empty()) return;
    word_.resize(word.size());
    std::ranges::transform(word, word_.begin(), lower);
    const std::uint32_t hash = hash_of(word_);
    Slot& slot = slots_[slot_of(word_, hash)];
    slot.is_common = slot.is_common || is_common;
    if (slot.size > 0) return;
    slot.hash = hash;
    slot.at = static_cast<std::uint32_t>(text_.size());
    slot.size = static_cast<std::uint32_t>(word.size());
    text_ += word_;
    if (2 * ++count_ > slots_.size()) grow();
  }

  bool contains(std::string_view word, bool only_common) const {
    const Slot& slot = slots_[slot_of(word, hash_of(word))];
    return slot.size > 0 && (slot.is_common || !only_common);
  }

  std::vector<std::string_view> sorted() const {
    std::vector<std::string_view> words;
    for (const Slot& slot : slots_)
      if (slot.size > 0) words.push_back(word_in(slot));
    std::ranges::sort(words);
    return words;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0, at = 0, size = 0;
    bool is_common = false;
  };

  std::string_view word_in(const Slot& slot) const { return std::string_view(text_).substr(slot.at, slot.size); }

  static std::uint32_t hash_of(std::string_view word) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    std::uint64_t hash = word.size();
    for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * odd;
    return static_cast<std::uint32_t>(hash >> 32U);
  }

  /// Returns the slot that holds the word, or the free one where it belongs.
  std::size_t slot_of(std::string_view word, std::uint32_t hash) const {
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].size > 0 && (slots_[at].hash != hash || word_in(slots_[at]) != word))
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void grow() {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot& slot : before)
      if (slot.size > 0) slots_[slot_of(word_in(slot), slot.hash)] = slot;
  }

  std::string text_, word_;
  std::vector<Slot> slots_;  ///< Their number is a power of two, and at most half of them are used.
  std::size_t count_ = 0;
};

/// Adds the words of a text of NCCL, and the parts of words with separators.
void add_words(std::string_view text, Words& words) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t begin = at;
    std::size_t part = at;
    for (; at < text.size() && is_name_byte(text[at]); ++at) {
      if (!is_separator(text[at])) continue;
      words.add(text.substr(part, at - part), true);
      part = at + 1;
    }
    words.add(text.substr(part, at - part), true);
    if (part > begin) words.add(text.substr(begin, at - begin), true);
  }
}

const Words& all_words() {
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
    for (std::string_view list : harmless_words())
      for (std::size_t end = 0; !list.empty(); list.remove_prefix(std::min(end + 1, list.size()))) {
        end = std::min(list.find(' '), list.size());
        words.add(list.substr(0, end), false);
      }
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

bool is_common_word(std::string_view word) { return is_device(word) || all_words().contains(word, true); }

bool is_harmless_word(std::string_view word) { return is_device(word) || all_words().contains(word, false); }

bool begins_harmless_word(std::string_view word) {
  static const std::vector<std::string_view> sorted = all_words().sorted();
  const auto found = std::ranges::lower_bound(sorted, word);
  return found != sorted.end() && found->starts_with(word);
}

}  // namespace nccl_analyze::redact
