#pragma once
// What a warning means: a sentence for each wording, derived from the source code that prints the warning.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// The role of a message in a failure.
enum class MessageClass : std::uint8_t {
  cause,     ///< It states the first failure that the library detected.
  failure,   ///< As a cause, and the library always returns an error to the program after it.
  echo,      ///< It passes on a failure of another function, thread, rank or peer.
  fallback,  ///< The library continues by another method.
  harmless   ///< The job is not affected.
};
std::string_view to_string(MessageClass kind);
inline bool is_cause(MessageClass kind) { return kind == MessageClass::cause || kind == MessageClass::failure; }

/// A row of meanings.tsv. The texts are static.
struct Meaning {
  std::string_view wording;  ///< Row::wording
  MessageClass kind{};
  std::string_view text;  ///< One or two sentences; the only Markdown in them is code.
};
/// Returns all rows, sorted by wording.
const std::vector<Meaning>& all_meanings();

/// The row that matches a message: its wording, the releases that print it (as in Row), and its meaning; null if
/// meanings.tsv has none. The texts are static.
struct KnownMessage {
  std::string_view wording, since, until;
  const Meaning* meaning = nullptr;
};
/// Finds the row that matches a message without its prefix. `wording` is empty if no row matches it.
KnownMessage find_known_message(std::string_view message);

/// Returns the meaning of the messages with this wording; null if meanings.tsv has none.
const Meaning* find_meaning(std::string_view wording);

/// Returns the meaning of a message without its prefix; null if meanings.tsv has none.
const Meaning* meaning_of(std::string_view message);

/// Returns the text without backticks and the last full stop, for messages, which are plain text.
std::string plain_text(const Meaning& meaning);

/// Returns the meanings whose wordings have the most words in common with the text, best first, at most `most`. Rare
/// words count more. A wording must share at least two of its words, and at least half of them.
std::vector<const Meaning*> nearest_meanings(std::string_view text, std::size_t most);

extern const std::string_view meanings_table;  ///< meanings.tsv

}  // namespace nccl_analyze
