// Searches for all phrases in one pass over the text, with a hash table that is indexed by their first letters.

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

#include "messages/device_library_phrases.h"
#include "messages/ending_phrases.h"
#include "messages/launch_phrases.h"
#include "messages/phrase_table.h"
#include "messages/rdma_phrases.h"

namespace nccl_analyze {

namespace {

/// All tables, the most specific one first.
constexpr auto phrase_table = [] {
  std::array<Phrase, std::size(launch_phrases) + std::size(device_library_phrases) + std::size(rdma_phrases) +
                         std::size(failure_phrases) + std::size(ending_phrases)>
      joined;
  auto* end = std::copy(std::begin(launch_phrases), std::end(launch_phrases), joined.begin());
  end = std::copy(std::begin(device_library_phrases), std::end(device_library_phrases), end);
  end = std::copy(std::begin(rdma_phrases), std::end(rdma_phrases), end);
  end = std::copy(std::begin(failure_phrases), std::end(failure_phrases), end);
  std::copy(std::begin(ending_phrases), std::end(ending_phrases), end);
  return joined;
}();

constexpr std::size_t max_text = 8192;
constexpr std::size_t key_size = 7;  // number of letters that are the key of the hash table
constexpr std::uint16_t none = 0xffff;

/// Words that announce a retry or a fallback.
constexpr std::string_view softeners[] = {
    "retrying",           "retried",         "will retry",   "trying again", "trying batch size",
    "trying a different", "try to continue", "falling back", "fall back",    "ignoring",
    "proceeding without", "continuing",      "not using it"};
constexpr std::size_t searched = std::size(phrase_table) + std::size(softeners);

/// Returns search text number `i`: first the phrases, then the softeners.
constexpr std::string_view words_of(std::size_t i) {
  return i < std::size(phrase_table) ? phrase_table[i].words : softeners[i - std::size(phrase_table)];
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

constexpr std::uint64_t small_letters = 0x2020202020202020;  // the bit that ignores case

/// Returns the first eight bytes of a text, which may be shorter, with `small_letters`.
constexpr std::uint64_t first_eight(std::string_view text) {
  std::array<char, sizeof(std::uint64_t)> copy{};
  std::copy_n(text.begin(), std::min(text.size(), copy.size()), copy.begin());
  return std::bit_cast<std::uint64_t>(copy) | small_letters;
}

/// The beginning of a search text, of which many others have the same first letters.
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

/// Returns the slot of the table for a text. `begins`: first_eight() of the text.
constexpr std::size_t slot_of(std::uint64_t begins) {
  constexpr std::uint64_t key = FirstLetters(std::string_view("letters").substr(0, key_size)).mask;
  return (begins & key) * 0x9e3779b97f4a7c15 >> 50U;
}

/// The hash table of all search texts. The texts of a slot form a chain, sorted by number.
struct Slots {
  static constexpr std::size_t count = 1 << 14;
  std::array<std::uint64_t, count / 64> used{};  ///< Bit set of the slots that have a chain.
  std::array<std::uint16_t, count> first{};
  std::array<std::uint16_t, searched> next{};
  std::array<FirstLetters, searched> beginnings{};

  constexpr Slots() {
    first.fill(none);
    for (std::size_t i = searched; i-- > 0;) {
      if (words_of(i).size() < key_size) throw "a search text is shorter than the key";
      beginnings[i] = FirstLetters(words_of(i));
      const std::size_t slot = slot_of(first_eight(words_of(i)));
      used[slot / 64] |= std::uint64_t{1} << slot % 64;
      next[i] = first[slot];
      first[slot] = static_cast<std::uint16_t>(i);
    }
  }
  bool has_chain(std::size_t slot) const { return (used[slot / 64] >> slot % 64 & 1U) != 0; }
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

/// The search of one text.
struct Search {
  std::string_view text;
  FoundPhrase best = {};
  std::string low = {};                              ///< The text in lower case, once it was needed.
  std::bitset<std::size(phrase_table)> judged = {};  ///< So that repetitions of a phrase in a line cost no time.

  /// Compares the text at `at` with the search texts of a slot. `here`: first_eight() of the text at `at`.
  void look_at(std::size_t at, std::uint64_t here, std::size_t slot) {
    for (std::uint16_t i = slots.first[slot]; i != none; i = slots.next[i]) {
      if (!slots.beginnings[i].fits(here)) continue;
      if (i < std::size(phrase_table))
        judge(i, at);
      else
        best.softened = best.softened || begins_with(text.substr(at), words_of(i));
    }
  }
  void judge(std::size_t i, std::size_t at) {
    const Phrase& phrase = phrase_table[i];
    if (best && best.phrase <= &phrase) return;  // the phrase found so far is more specific
    if (judged[i] || !begins_with(text.substr(at), phrase.words)) return;
    judged.set(i);
    if (!fits(phrase, text, low)) return;
    best.phrase = &phrase;
    best.words = text.substr(at, phrase.words.size());
  }
};

}  // namespace

std::span<const Phrase> phrases() { return phrase_table; }

FoundPhrase find_phrase(std::string_view text) {
  text = text.substr(0, max_text);
  Search search{text};
  if (text.size() < key_size) return {};
  std::size_t at = 0;
  for (std::uint64_t here = 0; at + sizeof here <= text.size(); ++at) {
    std::memcpy(&here, text.data() + at, sizeof here);
    here |= small_letters;
    if (const std::size_t slot = slot_of(here); slots.has_chain(slot)) [[unlikely]]
      search.look_at(at, here, slot);
  }
  const std::uint64_t last = first_eight(text.substr(at));  // seven bytes
  search.look_at(at, last, slot_of(last));
  return search.best;
}

Event phrase_in(std::string_view text) {
  const FoundPhrase found = find_phrase(text);
  if (!found || found.softened) return Unrecognized{};
  return PhraseSeen{found.words, found.phrase->rule};
}

}  // namespace nccl_analyze
