#pragma once
// Well-known phrases of failures, and the rule that each speaks for. They are the last resort: what a row recognises
// says more.

#include <span>
#include <string_view>

#include "nccl_analyze/event.h"

namespace nccl_analyze {

/// Who uses the words. An exception that holds words of NCCL's own only passes NCCL's error on.
enum class SaidBy : unsigned char { nccl, anyone };

struct Phrase {
  std::string_view rule;          ///< Name of the rule that it speaks for.
  std::string_view words;         ///< Capitals and small letters are the same.
  std::string_view example;       ///< A real line.
  std::string_view with = {};     ///< Words apart by `|`: one of them stands in the line as well.
  std::string_view without = {};  ///< Words apart by `|`: none of them stands in the line.
  SaidBy said_by = SaidBy::nccl;
};

/// All of them, the most specific first.
std::span<const Phrase> phrases();

struct FoundPhrase {
  const Phrase* phrase = nullptr;
  std::string_view words;  ///< As the text has them.
  bool softened = false;   ///< The text says that it is tried again or done otherwise: no failure then.
  explicit operator bool() const { return phrase != nullptr; }
};

/// The most specific phrase of `text`, of which no more than 8 KiB are looked at.
FoundPhrase find_phrase(std::string_view text);

/// What it tells: PhraseSeen, or Unrecognized where it holds no phrase or does not fail for it.
Event phrase_in(std::string_view text);

}  // namespace nccl_analyze
