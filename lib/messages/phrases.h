#pragma once
// Phrases that are typical of failures, each with the rule that reports it. Phrases are searched only in lines that
// match no message template (row.h), because a template yields typed facts and a phrase only a hint.

#include <span>
#include <string_view>

#include "nccl_analyze/event.h"

namespace nccl_analyze {

/// Who prints a phrase. An exception that contains a phrase of NCCL itself only repeats an error that NCCL has
/// reported.
enum class PrintedBy : unsigned char { nccl, anyone };

/// Words with which vLLM says, at level INFO, that its workers do not answer. Told once, they are no sign of a fault,
/// because a compilation takes as long.
constexpr std::string_view unanswered_workers = "No available shared memory broadcast block found";

/// Words with which PyTorch says, at the level of a warning, that no address belongs to the master's name. Told once or
/// for one family of addresses, they are no sign of a fault.
constexpr std::string_view unresolved_master = "cannot be retrieved (gai error";

struct Phrase {
  std::string_view rule;     ///< Name of the rule that reports the phrase.
  std::string_view words;    ///< The phrase; its case is ignored.
  std::string_view example;  ///< A real line that contains the phrase.
  PrintedBy printed_by = PrintedBy::nccl;
  std::string_view with = {};     ///< `a|b`: the line must also contain a or b. Lower case.
  std::string_view without = {};  ///< `a|b`: the line must not contain a or b. Lower case.
};

/// Returns all phrases, most specific first.
std::span<const Phrase> phrases();

/// The result of a search; `phrase` is null if the text contains no phrase.
struct FoundPhrase {
  const Phrase* phrase = nullptr;
  std::string_view words;  ///< The phrase as spelled in the text.
  bool softened = false;   ///< Whether the text also announces a retry or a fallback; it then reports no failure.
  explicit operator bool() const { return phrase != nullptr; }
};

/// Finds the most specific phrase in the first 8 KiB of `text`.
FoundPhrase find_phrase(std::string_view text);

/// Returns PhraseSeen for the most specific phrase in `text`, or Unrecognized if there is none or it is softened.
Event phrase_in(std::string_view text);

}  // namespace nccl_analyze
