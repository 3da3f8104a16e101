// The search for well-known phrases: one pass over the text, whatever their number.

#include "messages/phrases.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>

#include "messages/phrase_table.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_text = 8192;
constexpr std::size_t head_size = 4;  // of a phrase: it is looked up by so many letters
constexpr std::uint16_t none = 0xffff;

constexpr char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

/// Of four letters, the last one lowest; capitals and small letters give the same.
constexpr std::size_t slot_of(std::uint32_t letters) { return letters * 0x9E3779B1U >> 18U; }

constexpr std::uint32_t first_letters(std::string_view words) {
  std::uint32_t letters = 0;
  for (const char c : words.substr(0, head_size)) letters = letters << 8U | (static_cast<unsigned char>(c) | 0x20U);
  return letters;
}

/// The phrases by the slots of their first letters, chained in the order of the table.
struct Slots {
  std::array<std::uint16_t, 1 << 14> first{};
  std::array<std::uint16_t, std::size(phrase_table)> next{};

  constexpr Slots() {
    first.fill(none);
    for (std::size_t i = std::size(phrase_table); i-- > 0;) {
      std::uint16_t& slot = first[slot_of(first_letters(phrase_table[i].words))];
      next[i] = slot;
      slot = static_cast<std::uint16_t>(i);
    }
  }
};
constexpr Slots slots;

/// `text` in small letters, and no more of it than is looked at.
std::string lowered(std::string_view text) {
  std::string low(text.substr(0, max_text));
  for (char& c : low) c = small(c);
  return low;
}

/// Phrases are written with capitals where their programs do so.
bool begins_with(std::string_view low, std::string_view words) {
  return low.size() >= words.size() &&
         std::equal(words.begin(), words.end(), low.begin(), [](char a, char b) { return small(a) == b; });
}

/// Whether one of the `words`, which are apart by `|`, stands in a text of small letters.
bool holds_any(std::string_view low, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('|'), words.size());
    if (low.find(lowered(words.substr(0, end))) != std::string_view::npos) return true;
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
  const std::string low = lowered(text);
  FoundPhrase best;
  std::bitset<std::size(phrase_table)> judged;  // each once, so that a line that repeats one costs no more
  std::uint32_t letters = 0;
  for (std::size_t end = 0; end < low.size(); ++end) {
    letters = letters << 8U | (static_cast<unsigned char>(low[end]) | 0x20U);
    if (end + 1 < head_size) continue;
    std::uint16_t i = slots.first[slot_of(letters)];
    if (i == none) continue;
    const std::size_t at = end + 1 - head_size;
    for (; i != none; i = slots.next[i]) {
      const Phrase& phrase = phrase_table[i];
      if (best && best.phrase <= &phrase) break;  // only less specific ones follow
      if (judged[i] || !begins_with(std::string_view(low).substr(at), phrase.words)) continue;
      judged.set(i);
      if (fits(phrase, low)) best = {&phrase, text.substr(at, phrase.words.size())};
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
      lowered(text),
      "retrying|retried|will retry|trying again|trying a different|try to continue|falling back|fall back|ignoring|"
      "proceeding without|continuing|not using it");
}

}  // namespace nccl_analyze
