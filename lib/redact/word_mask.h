#pragma once
// Masks words that are not known to be harmless: a word that neither belongs to the vocabulary nor has a harmless form
// gets a stand-in.

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "redact/forms.h"
#include "redact/free_parts.h"
#include "redact/rewriter.h"
#include "redact/word_table.h"

namespace nccl_analyze::redact {

class WordContext;

class WordMask {
 public:
  using Words = std::set<std::string, std::less<>>;

  explicit WordMask(const Rewriter& rewriter) : rewriter_(rewriter) {}
  /// Masks every word of `parts` that is not known to be harmless.
  void mask(MarkedLine& line, const FreeParts& parts);
  /// Masks the words in a part. `is_value`: whether the part is the value of an unknown setting. Returns whether any
  /// word was masked.
  bool mask(MarkedLine& line, const FreePart& part, bool is_value);
  WordTable& table() { return table_; }
  const WordTable& table() const { return table_; }
  /// Returns the words that stayed, in lower case and without numbers, at most 4096.
  const Words& kept() const { return kept_; }

 private:
  /// Masks the text at `at` that is no word, such as an address or a sign. Returns its length.
  std::size_t mask_sign(MarkedLine& line, std::size_t at, std::size_t end, WordContext& context);
  bool mask_word(MarkedLine& line, std::size_t begin, std::size_t end, const WordContext& context);
  void overwrite(MarkedLine& line, std::size_t begin, std::size_t end);
  /// Whether a word may stay where it stands.
  bool may_stay(const MarkedLine& line, std::size_t begin, std::size_t end);
  Form form_of_word(std::string_view word);
  Form find_form(std::string_view word);
  void note_kept(std::string_view word);

  const Rewriter& rewriter_;
  struct KnownForm {
    Form form = Form::unknown;
    bool is_noted = false;  ///< The word is in `kept_`, or does not belong there.
  };
  /// What form_of_word() returned for words that were read before.
  std::unordered_map<std::string, KnownForm> known_forms_;
  std::string word_, key_;
  WordTable table_;
  Words kept_;
  static constexpr std::size_t no_cut = static_cast<std::size_t>(-1);
  std::size_t cut_ = no_cut;  ///< What FreeParts::cut() returned for the line.
};

}  // namespace nccl_analyze::redact
