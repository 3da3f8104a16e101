#pragma once
// Well-known phrases in failure messages, each with the rule that reports it. A phrase is used only where the line
// matches no message template (row.h): a template yields typed facts, a phrase only a hint.

#include <span>
#include <string_view>

#include "nccl_analyze/event.h"

namespace nccl_analyze {

/// Who prints a phrase. An exception that holds a phrase of NCCL's own only repeats an error that NCCL reported.
enum class PrintedBy : unsigned char { nccl, anyone };

struct Phrase {
  std::string_view rule;     ///< Name of the rule that reports it.
  std::string_view words;    ///< Compared without case.
  std::string_view example;  ///< A real line that holds it.
  PrintedBy printed_by = PrintedBy::nccl;
  std::string_view with = {};     ///< `a|b`: the line must hold a or b too. Lower case.
  std::string_view without = {};  ///< `a|b`: the line must hold neither a nor b. Lower case.
};

/// All phrases, the most specific first.
std::span<const Phrase> phrases();

struct FoundPhrase {
  const Phrase* phrase = nullptr;
  std::string_view words;  ///< The phrase as the text spells it.
  bool softened = false;   ///< The text also announces a retry or a fallback, so that it reports no failure.
  explicit operator bool() const { return phrase != nullptr; }
};

/// The most specific phrase in the first 8 KiB of `text`.
FoundPhrase find_phrase(std::string_view text);

/// PhraseSeen for the most specific phrase of `text`; Unrecognized where it has none, or a softened one.
Event phrase_in(std::string_view text);

}  // namespace nccl_analyze
