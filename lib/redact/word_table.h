#pragma once
// Gives stand-ins to words that are neither names nor of the vocabulary.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace nccl_analyze::redact {

/// Gives each word a stand-in of the same form and length: letters for letters, digits for digits. They are numbered in
/// the order in which the words are seen. Words beyond a million, and words of few letters when these run out, share
/// their stand-ins.
class WordTable {
 public:
  std::string stand_in(std::string_view word);
  /// Notes a stand-in of an earlier run.
  void fix(std::string_view word, std::string_view stand_in);
  const std::unordered_map<std::string, std::string>& all() const { return stand_ins_; }

 private:
  std::unordered_map<std::string, std::string> stand_ins_;
  std::unordered_set<std::string> given_;
  std::unordered_map<std::string, std::uint64_t> next_;  ///< The number of the next stand-in for each form of words.
};

}  // namespace nccl_analyze::redact
