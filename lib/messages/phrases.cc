// Searches for all phrases in one pass over the text, with a hash table that is indexed by their first four letters.

#include "messages/phrases.h"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "messages/phrase_table.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_text = 8192;
constexpr std::size_t head_size = 4;  // number of letters that are the key of the hash table
constexpr std::uint16_t none = 0xffff;

/// Words that announce a retry or a fallback.
constexpr std::string_view softeners[] = {
    "retrying",     "retried",   "will retry", "trying again",       "trying a different", "try to continue",
    "falling back", "fall back", "ignoring",   "proceeding without", "continuing",         "not using it"};
constexpr std::size_t searched = std::size(phrase_table) + std::size(softeners);

/// Returns search text number `i`: first the phrases, then the softeners.
constexpr std::string_view words_of(std::size_t i) {
  return i < std::size(phrase_table) ? phrase_table[i].words : softeners[i - std::size(phrase_table)];
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

/// Hashes four letters to a slot of the table. The last letter is in the lowest byte; bit 0x20 of each letter is set,
/// which ignores case.
constexpr std::size_t slot_of(std::uint32_t letters) { return letters * 0x9E3779B1U >> 18U; }

constexpr std::uint32_t first_letters(std::string_view words) {
  std::uint32_t letters = 0;
  for (const char c : words.substr(0, head_size)) letters = letters << 8U | (static_cast<unsigned char>(c) | 0x20U);
  return letters;
}

/// Returns the first eight bytes of a text, which may be shorter. Bit 0x20 of each is set, which ignores case.
constexpr std::uint64_t first_eight(std::string_view text) {
  constexpr std::uint64_t small = 0x2020202020202020;
  std::uint64_t bytes = 0;
  if (!std::is_constant_evaluated() && text.size() >= sizeof bytes) {
    std::memcpy(&bytes, text.data(), sizeof bytes);
    return bytes | small;
  }
  std::array<char, sizeof bytes> copy{};
  std::copy_n(text.begin(), std::min(text.size(), copy.size()), copy.begin());
  return std::bit_cast<std::uint64_t>(copy) | small;
}

/// The beginning of a search text, of which many others have the same first four letters.
struct FirstLetters {
  std::uint64_t letters = 0, mask = 0;

  constexpr FirstLetters() = default;
  constexpr explicit FirstLetters(std::string_view words) : letters(first_eight(words)) {
    std::array<char, sizeof mask> used{};
    std::fill_n(used.begin(), std::min(words.size(), used.size()), '\xff');
    mask = std::bit_cast<std::uint64_t>(used);
  }
  /// Whether a text may begin like the search text. `begins`: first_eight() of the text.
  constexpr bool fits(std::uint64_t begins) const { return ((letters ^ begins) & mask) == 0; }
};

/// The hash table of all search texts. The texts of a slot form a chain, sorted by number.
struct Slots {
  std::array<std::uint16_t, 1 << 14> first{};
  std::array<std::uint16_t, searched> next{};
  std::array<FirstLetters, searched> beginnings{};

  constexpr Slots() {
    first.fill(none);
    for (std::size_t i = searched; i-- > 0;) {
      beginnings[i] = FirstLetters(words_of(i));
      std::uint16_t& slot = first[slot_of(first_letters(words_of(i)))];
      next[i] = slot;
      slot = static_cast<std::uint16_t>(i);
    }
  }
};
constexpr Slots slots;

std::string lowered(std::string_view text) {
  std::string low(text);
  for (char& c : low) c = lower(c);
  return low;
}

/// Whether `text` starts with `words`, ignoring case. Compares the last letter first: many phrases begin with the same
/// letters.
bool begins_with(std::string_view text, std::string_view words) {
  return text.size() >= words.size() && lower(text[words.size() - 1]) == lower(words.back()) &&
         std::equal(words.begin(), words.end(), text.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

/// Whether Phrase::with and Phrase::without are lower case in all phrases, as holds_any() requires.
constexpr bool conditions_are_lower_case() {
  for (const Phrase& phrase : phrase_table)
    for (const std::string_view words : {phrase.with, phrase.without})
      for (const char c : words)
        if (c != lower(c)) return false;
  return true;
}
static_assert(conditions_are_lower_case());

/// Whether `low` contains one of `words`, which are separated by `|`. Both arguments must be lower case.
bool holds_any(std::string_view low, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('|'), words.size());
    if (low.find(words.substr(0, end)) != std::string_view::npos) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

/// Whether `text` meets the conditions of a phrase. `low` receives `text` in lower case when it is first needed.
bool fits(const Phrase& phrase, std::string_view text, std::string& low) {
  if (phrase.with.empty() && phrase.without.empty()) return true;
  if (low.empty()) low = lowered(text);
  return (phrase.with.empty() || holds_any(low, phrase.with)) && !holds_any(low, phrase.without);
}

}  // namespace

std::span<const Phrase> phrases() { return phrase_table; }

FoundPhrase find_phrase(std::string_view text) {
  text = text.substr(0, max_text);
  std::string low;
  FoundPhrase best;
  std::bitset<std::size(phrase_table)> judged;  // phrases already judged, so that repetitions in a line cost no time
  std::uint32_t letters = 0;
  for (std::size_t end = 0; end < text.size(); ++end) {
    letters = letters << 8U | (static_cast<unsigned char>(text[end]) | 0x20U);
    if (end + 1 < head_size) continue;
    std::uint16_t i = slots.first[slot_of(letters)];
    if (i == none) continue;
    const std::size_t at = end + 1 - head_size;
    const std::uint64_t here = first_eight(text.substr(at));
    for (; i != none; i = slots.next[i]) {
      if (!slots.beginnings[i].fits(here)) continue;
      if (i >= std::size(phrase_table)) {
        best.softened = best.softened || begins_with(text.substr(at), words_of(i));
        continue;
      }
      const Phrase& phrase = phrase_table[i];
      if (best && best.phrase <= &phrase) continue;  // the phrase found so far is more specific
      if (judged[i] || !begins_with(text.substr(at), phrase.words)) continue;
      judged.set(i);
      if (!fits(phrase, text, low)) continue;
      best.phrase = &phrase;
      best.words = text.substr(at, phrase.words.size());
    }
  }
  return best;
}

Event phrase_in(std::string_view text) {
  const FoundPhrase found = find_phrase(text);
  if (!found || found.softened) return Unrecognized{};
  return PhraseSeen{found.words, found.phrase->rule};
}

}  // namespace nccl_analyze
