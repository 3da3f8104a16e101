// The search for well-known phrases: one pass over the text, whatever their number.

#include "messages/phrases.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>

#include "messages/phrase_table.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_text = 8192;
constexpr std::size_t head_size = 4;  // of a phrase: it is looked up by so many letters
constexpr std::uint16_t none = 0xffff;

constexpr char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

/// Of four bytes; capitals and small letters give the same.
constexpr std::size_t slot_of(const char* at) {
  std::uint32_t letters = 0;
  for (std::size_t i = 0; i < head_size; ++i)
    letters = letters << 8U | static_cast<std::uint32_t>(static_cast<unsigned char>(at[i]) | 0x20U);
  return letters * 0x9E3779B1U >> 22U;
}

/// The phrases by the slots of their first letters, chained in the order of the table.
struct Slots {
  std::array<std::uint16_t, 1024> first{};
  std::array<std::uint16_t, std::size(phrase_table)> next{};

  constexpr Slots() {
    first.fill(none);
    for (std::size_t i = std::size(phrase_table); i-- > 0;) {
      std::uint16_t& slot = first[slot_of(phrase_table[i].words.data())];
      next[i] = slot;
      slot = static_cast<std::uint16_t>(i);
    }
  }
};
constexpr Slots slots;

bool begins_with(std::string_view text, std::string_view words) {
  return text.size() >= words.size() &&
         std::equal(words.begin(), words.end(), text.begin(), [](char a, char b) { return small(a) == small(b); });
}

bool holds(std::string_view text, std::string_view words) {
  return std::search(text.begin(), text.end(), words.begin(), words.end(),
                     [](char a, char b) { return small(a) == small(b); }) != text.end();
}

/// Whether one of the `words`, which are apart by `|`, stands in the text.
bool holds_any(std::string_view text, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('|'), words.size());
    if (holds(text, words.substr(0, end))) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

bool fits(const Phrase& phrase, std::string_view text) {
  return (phrase.with.empty() || holds_any(text, phrase.with)) && !holds_any(text, phrase.without);
}

}  // namespace

std::span<const Phrase> phrases() { return phrase_table; }

FoundPhrase find_phrase(std::string_view text) {
  text = text.substr(0, max_text);
  FoundPhrase best;
  std::bitset<std::size(phrase_table)> judged;  // each once, so that a line that repeats one costs no more
  for (std::size_t at = 0; at + head_size <= text.size(); ++at) {
    for (std::uint16_t i = slots.first[slot_of(text.data() + at)]; i != none; i = slots.next[i]) {
      const Phrase& phrase = phrase_table[i];
      if (best && best.phrase <= &phrase) break;  // only less specific ones follow
      if (judged[i] || !begins_with(text.substr(at), phrase.words)) continue;
      judged.set(i);
      if (fits(phrase, text)) best = {&phrase, text.substr(at, phrase.words.size())};
    }
  }
  return best;
}

Event phrase_in(std::string_view text) {
  const FoundPhrase found = find_phrase(text);
  if (!found || is_softened(text)) return Unrecognized{};
  return PhraseSeen{found.words, found.phrase->rule};
}

bool is_softened(std::string_view text) {
  return holds_any(
      text.substr(0, max_text),
      "retrying|retried|will retry|trying again|trying a different|try to continue|falling back|fall back|ignoring|"
      "proceeding without|continuing|not using it");
}

}  // namespace nccl_analyze
