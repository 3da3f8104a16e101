#pragma once
// Gives stand-ins to the words that names consist of. A word is a run of letters, such as `llama` and `worker` in
// `llama-worker-0`, or an id of letters and digits, such as `9f3a7c1d` in `node-9f3a7c1d`.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "redact/bytes.h"

namespace nccl_analyze::redact {

/// Gives each word a stand-in of the same length. Stand-ins sort like their words, so that a report lists hosts in the
/// same order, and words with a common prefix have stand-ins with a common prefix. A damaged line may show only a piece
/// of a word, `ker` of `worker`. A rare word that is a piece of a frequent word therefore gets the same piece of that
/// word's stand-in.
class LetterTable {
 public:
  /// Whether a word, in lower case, must not be used as a stand-in.
  using Avoid = std::function<bool(std::string_view word)>;

  /// Notes `times` more occurrences of a word, whatever its case.
  void add(std::string_view word, std::uint64_t times);
  /// Notes a word that needs no stand-in.
  void keep(std::string_view word) { kept_.emplace(word); }
  /// Notes which stand-in a word had in an earlier run, or must have.
  void preset(std::string_view word, std::string_view stand_in) {
    given_.emplace(preset_.emplace(lowered(word), lowered(stand_in)).first->second);
  }
  /// Whether preset() was called with this stand-in.
  bool gives(std::string_view stand_in) const { return given_.contains(stand_in); }
  /// Assigns the stand-ins. Must be called once, after the last add().
  void choose(const Avoid& avoid);
  /// Returns the stand-in of a word in lower case; `x` for each letter if the word was not added.
  std::string stand_in(std::string_view word) const;

 private:
  using Words = std::map<std::string, std::string, std::less<>>;

  /// Returns stand-ins of all words in `counts_`. The first words in sorted order begin with letter number `first` of
  /// the alphabet in use, and the next ones with the letters after it.
  Words assign(std::size_t first) const;
  /// Counts the stand-ins that are words of `counts_` or must be avoided; one that equals its own word counts twice.
  std::size_t count_clashes(const Words& words, const Avoid& avoid) const;
  /// Changes stand-ins that look like the end of a pod's name although their words do not.
  void avoid_ends_of_pods();
  /// Uses the stand-ins of an earlier run. No other word gets one of these, or itself, as its stand-in.
  void apply_preset();
  /// Gives a piece of a frequent word the same piece of its stand-in.
  void derive_pieces();
  std::string piece_of_frequent(const std::string& word, std::uint64_t times) const;
  std::string with_piece_before(const std::string& word, std::uint64_t times) const;

  std::set<std::string, std::less<>> kept_, given_;
  std::map<std::string, std::uint64_t, std::less<>> counts_;
  std::map<std::string, std::string, std::less<>> reversed_;  ///< Each word, by its letters in reverse order.
  Words preset_;
  Words stand_ins_;
};

}  // namespace nccl_analyze::redact
