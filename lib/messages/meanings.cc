// Reads meanings.tsv and finds the meaning of a message.

#include "messages/meanings.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "messages/matcher.h"
#include "text/lower_case.h"
#include "text/split.h"

namespace nccl_analyze {

namespace {

constexpr std::array<std::string_view, 5> class_names = {"cause", "failure", "echo", "fallback", "harmless"};

std::vector<Meaning> read_meanings(std::string_view table) {
  std::vector<Meaning> meanings;
  for (const auto& [wording, kind, text] : rows_of<3>(table)) {
    const auto number = std::ranges::find(class_names, kind) - class_names.begin();
    meanings.push_back({wording, static_cast<MessageClass>(number), text});
  }
  return meanings;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Returns the words of at least three letters outside holes, in lower case, sorted, each once.
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '{') {
      at = std::min(text.find('}', at), text.size());
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end - at >= 3) words.push_back(lower_case(text.substr(at, end - at)));
    at = end + 1;
  }
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace

std::string_view to_string(MessageClass kind) { return class_names[static_cast<std::size_t>(kind)]; }

const std::vector<Meaning>& all_meanings() {
  static const std::vector<Meaning> meanings = read_meanings(meanings_table);
  return meanings;
}

const Meaning* find_meaning(std::string_view wording) {
  const std::vector<Meaning>& all = all_meanings();
  const auto found = std::ranges::lower_bound(all, wording, {}, &Meaning::wording);
  return found != all.end() && found->wording == wording ? &*found : nullptr;
}

KnownMessage find_known_message(std::string_view message) {
  Event event;
  const Row* const row = standard_matcher().match(message, event);
  if (row == nullptr) return {};
  return {row->wording, row->since, row->until, find_meaning(row->wording)};
}

const Meaning* meaning_of(std::string_view message) { return find_known_message(message).meaning; }

std::string plain_text(const Meaning& meaning) {
  std::string text(meaning.text);
  std::erase(text, '`');
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::vector<const Meaning*> nearest_meanings(std::string_view text, std::size_t most) {
  constexpr std::size_t max_text = 2000;
  const std::vector<std::string> wanted = words_in(text.substr(0, max_text));
  const std::vector<Meaning>& all = all_meanings();
  std::vector<std::vector<std::string>> words;
  std::map<std::string, double> rarity;
  for (const Meaning& meaning : all)
    for (const std::string& word : words.emplace_back(words_in(meaning.wording))) rarity[word] += 1;
  std::vector<std::pair<double, const Meaning*>> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    double score = 0;
    std::size_t shared = 0;
    for (const std::string& word : words[i])
      if (std::ranges::binary_search(wanted, word)) {
        score += 1 / rarity[word];
        ++shared;
      }
    if (shared * 2 >= words[i].size() && shared >= 2) found.emplace_back(-score, &all[i]);
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const Meaning*> nearest;
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) nearest.push_back(found[i].second);
  return nearest;
}

}  // namespace nccl_analyze
