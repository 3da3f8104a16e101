#pragma once
// Gives stand-ins to words that are neither names nor in the vocabulary.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace nccl_analyze::redact {

class NameTable;

/// Gives each word a stand-in of the same form and length, with letters for letters and digits for digits. Stand-ins
/// are numbered in the order in which words come. Words beyond the first million share stand-ins, and so do short words
/// when all stand-ins of their form are used.
class WordTable {
 public:
  /// Returns the stand-in of a word. It is none of the names in the inputs, if enough others are free, because such a
  /// name would seem to have stayed.
  std::string stand_in(std::string_view word, const NameTable& names);
  /// Notes which stand-in a word had in an earlier run.
  void preset(std::string_view word, std::string_view stand_in);
  const std::unordered_map<std::string, std::string>& all() const { return stand_ins_; }

 private:
  std::unordered_map<std::string, std::string> stand_ins_;
  std::unordered_set<std::string> given_;
  std::unordered_map<std::string, std::uint64_t> next_;  ///< The number of the last stand-in, by the form of the words.
};

}  // namespace nccl_analyze::redact
