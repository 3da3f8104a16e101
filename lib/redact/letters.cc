#include "redact/letters.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "redact/bytes.h"

namespace nccl_analyze::redact {

namespace {

/// First letters of stand-ins, in this order. Letters that are hexadecimal digits come last, because a report takes
/// `b1` for a number. x is missing, because the analysis takes a host name of x alone for one that its user has masked.
/// Vowels are missing, because generated parts of pod names have none.
constexpr std::string_view first_letters = "ghjklmnpqrstvwzbcdf";
/// First letters of stand-ins if the names begin with more different letters than `first_letters` has.
constexpr std::string_view more_letters = "ghijklmnopqrstuvwyzabcdef";
/// The other letters of stand-ins. Where words with a common prefix differ, the last word in sorted order gets the
/// first of these letters. Digits are needed if ids differ in more characters than there are letters.
constexpr std::string_view later_letters = "xwvutsrqponmlkjihgfedcbazy9876543210";
/// First characters of stand-ins if the names begin with more different letters and digits than `more_letters` has.
constexpr std::string_view all_letters = "0123456789abcdefghijklmnopqrstuvwxyz";
/// A word counts as a piece of another word only if the other one occurs at least this many times as often.
constexpr std::uint64_t many_times = 8;
constexpr std::size_t shortest_piece = 2;

std::size_t common_beginning(std::string_view a, std::string_view b) {
  const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(end - a.begin());
}

/// Whether a word may be the random end of a pod's name: five of the characters that Kubernetes uses for it.
bool may_end_pod(std::string_view word) {
  constexpr std::size_t characters = 5;
  return word.size() == characters && word.find_first_not_of("bcdfghjklmnpqrstvwxz2456789") == word.npos;
}

std::string reversed(std::string_view word) { return {word.rbegin(), word.rend()}; }

}  // namespace

void LetterTable::add(std::string_view word, std::uint64_t times) {
  if (!word.empty()) counts_[lowered(word)] += times;
}

LetterTable::Words LetterTable::assign(std::size_t first) const {
  Words words;
  std::set<char> beginnings;
  for (const auto& [word, times] : counts_) beginnings.insert(word.front());
  std::size_t left = beginnings.size();
  const std::string_view beginners = left > more_letters.size()    ? all_letters
                                     : left > first_letters.size() ? more_letters
                                                                   : first_letters;
  std::string_view before;
  std::string stand_in;
  std::vector<std::size_t> number;  // The index in `later_letters` of each letter of the stand-in.
  for (auto at = counts_.rbegin(); at != counts_.rend(); ++at) {
    const std::string& word = at->first;
    const std::size_t common = common_beginning(word, before);
    // `before` sorts after the word, and therefore has a letter where the two words differ.
    const std::size_t sibling = !before.empty() && common < word.size() ? number[common] + 1 : 0;
    stand_in.resize(common);
    number.resize(common);
    for (std::size_t i = common; i < word.size(); ++i) {
      number.push_back(i == common ? sibling : 0);
      stand_in +=
          i == 0 ? beginners[(first + --left) % beginners.size()] : later_letters[number.back() % later_letters.size()];
    }
    words.emplace(word, stand_in);
    before = word;
  }
  return words;
}

std::size_t LetterTable::count_clashes(const Words& words, const Avoid& avoid) const {
  std::size_t clashes = 0;
  for (const auto& [word, stand_in] : words)
    clashes += stand_in == word ? 2 : counts_.contains(stand_in) || (word.size() > 1 && avoid(stand_in)) ? 1 : 0;
  return clashes;
}

void LetterTable::choose(const Avoid& avoid) {
  std::size_t fewest = static_cast<std::size_t>(-1);
  for (std::size_t first = 0; first < first_letters.size() && fewest > 0; ++first) {
    Words words = assign(first);
    const std::size_t clashes = count_clashes(words, avoid);
    if (clashes >= fewest) continue;
    fewest = clashes;
    stand_ins_ = std::move(words);
  }
  avoid_ends_of_pods();
  for (const std::string& word : kept_) stand_ins_[word] = word;
  derive_pieces();
  apply_preset();
}

void LetterTable::avoid_ends_of_pods() {
  std::set<std::string> taken;
  for (const auto& [word, stand_in] : stand_ins_) taken.insert(stand_in);
  for (auto& [word, stand_in] : stand_ins_) {
    if (may_end_pod(word) || !may_end_pod(stand_in)) continue;
    std::string made = stand_in;
    made.back() = 'y';
    if (stand_in.back() == 'x' && taken.insert(made).second) stand_in = made;
  }
}

void LetterTable::apply_preset() {
  std::set<std::string> given, taken;
  for (const auto& [word, stand_in] : preset_) given.insert(stand_in);
  for (const auto& [word, stand_in] : stand_ins_) taken.insert(stand_in);
  for (auto& [word, stand_in] : stand_ins_) {
    constexpr int most_tries = 4096;
    if (preset_.contains(word) || kept_.contains(word) || (stand_in != word && !given.contains(stand_in))) continue;
    for (int tries = 0;
         tries < most_tries && (stand_in == word || taken.contains(stand_in) || given.contains(stand_in)); ++tries) {
      std::size_t at = stand_in.size();  // Tries the next text of the same length.
      while (at > 0 && stand_in[at - 1] == 'z') stand_in[--at] = 'a';
      if (at > 0) stand_in[at - 1] = stand_in[at - 1] == '9' ? 'a' : static_cast<char>(stand_in[at - 1] + 1);
    }
    taken.insert(stand_in);
  }
  for (const auto& [word, stand_in] : preset_) stand_ins_[word] = stand_in;
}

void LetterTable::derive_pieces() {
  for (const auto& [word, times] : counts_) reversed_.emplace(reversed(word), word);
  std::set<std::string> taken;
  for (const auto& [word, stand_in] : stand_ins_) taken.insert(stand_in);
  for (const auto& [word, times] : counts_) {
    if (word.size() < shortest_piece || kept_.contains(word)) continue;
    std::string piece = piece_of_frequent(word, times);
    if (piece.empty()) piece = with_piece_before(word, times);
    if (piece.empty() || piece == word || !taken.insert(piece).second) continue;
    stand_ins_[word] = piece;
  }
}

std::string LetterTable::piece_of_frequent(const std::string& word, std::uint64_t times) const {
  constexpr int max_tries = 64;
  const std::string key = reversed(word);
  int tries = 0;
  for (auto at = reversed_.upper_bound(key); at != reversed_.end() && at->first.starts_with(key); ++at) {
    if (++tries > max_tries) break;
    const std::string& whole = at->second;
    if (counts_.find(whole)->second < times * many_times) continue;
    return stand_ins_.find(whole)->second.substr(whole.size() - word.size());
  }
  return {};
}

std::string LetterTable::with_piece_before(const std::string& word, std::uint64_t times) const {
  for (std::size_t at = 1; at + shortest_piece < word.size(); ++at) {
    const std::string_view end = std::string_view(word).substr(at);
    const auto whole = counts_.find(end);
    if (whole == counts_.end() || whole->second < times * many_times) continue;
    const std::string_view piece = std::string_view(word).substr(0, at);
    const auto begun = counts_.lower_bound(piece);
    const bool is_beginning = begun != counts_.end() && begun->first.starts_with(piece);
    return (is_beginning ? stand_in(begun->first).substr(0, at) : stand_in(piece)) + stand_in(end);
  }
  return {};
}

std::string LetterTable::stand_in(std::string_view word) const {
  const auto found = stand_ins_.find(word);
  return found == stand_ins_.end() ? std::string(word.size(), 'x') : found->second;
}

}  // namespace nccl_analyze::redact
