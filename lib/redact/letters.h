#pragma once
// Stand-ins of the words that names consist of. A word is a run of letters, `llama` and `worker` in `llama-worker-0`,
// or an id with letters and digits, `9f3a7c1d` in `node-9f3a7c1d`.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "redact/bytes.h"

namespace nccl_analyze::redact {

/// Gives each word a stand-in of the same length. Stand-ins are assigned in alphabetical order and therefore sort as
/// the words do, so that reports list renamed hosts in the same order. Words with a common beginning have stand-ins
/// with one. A rare word that is a piece of a frequent one, as damaged lines leave it (`ker` of `worker`), gets that
/// piece of its stand-in.
class LetterTable {
 public:
  /// Whether a word, in lower case, must not be a stand-in.
  using Avoid = std::function<bool(std::string_view word)>;

  /// Notes a word that occurs `times` more often. The case is ignored.
  void add(std::string_view word, std::uint64_t times);
  /// Notes a word that stays as it is.
  void keep(std::string_view word) { kept_.emplace(word); }
  /// Notes a word with its stand-in of an earlier run.
  void fix(std::string_view word, std::string_view stand_in) { fixed_.emplace(lowered(word), lowered(stand_in)); }
  /// Assigns the stand-ins. Call it once, after the last add().
  void choose(const Avoid& avoid);
  /// The stand-in of a word in lower case; a word that was not added becomes a row of `x`.
  std::string stand_in(std::string_view word) const;

 private:
  using Words = std::map<std::string, std::string, std::less<>>;

  /// Stand-ins of all words in `counts_`, whose first letters are consecutive letters from the alphabet's `first` on.
  Words assign(std::size_t first) const;
  /// The number of stand-ins that are words themselves, or to be avoided.
  std::size_t count_clashes(const Words& words, const Avoid& avoid) const;
  /// Keeps the stand-ins of earlier runs, and gives no word one of these or itself.
  void apply_fixed();
  /// Gives pieces of frequent words the pieces of their stand-ins.
  void derive_pieces();
  std::string piece_of_frequent(const std::string& word, std::uint64_t times) const;
  std::string with_piece_before(const std::string& word, std::uint64_t times) const;

  std::set<std::string, std::less<>> kept_;
  std::map<std::string, std::uint64_t, std::less<>> counts_;
  std::map<std::string, std::string, std::less<>> reversed_;  ///< Each word by its reversal.
  Words fixed_;
  Words stand_ins_;
};

}  // namespace nccl_analyze::redact
