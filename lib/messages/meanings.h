#pragma once
// What a warning means: a sentence for each wording, written by reading the place in the source that prints it.

#include <cstdint>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// The part of a message in a failure.
enum class MessageClass : std::uint8_t {
  cause,     ///< It states the first failure that the library saw.
  echo,      ///< It passes on a failure of another function, thread, rank or peer.
  fallback,  ///< The library goes on in another way.
  harmless   ///< Nothing is lost.
};
std::string_view to_string(MessageClass kind);

/// A row of meanings.tsv. The texts are static.
struct Meaning {
  std::string_view wording;  ///< Row::wording
  MessageClass kind{};
  std::string_view text;  ///< One or two sentences, Markdown with code only.
};
/// All rows, sorted by wording.
const std::vector<Meaning>& all_meanings();

/// A message that a row of the message table reads: its wording, the releases that print it (empty: not known, or the
/// newest), and its meaning; null if none is written down. The texts are static.
struct KnownMessage {
  std::string_view wording, since, until;
  const Meaning* meaning = nullptr;
};
/// `message` is a message without its prefix. `wording` is empty if no row reads it.
KnownMessage find_known_message(std::string_view message);

/// The meaning of the messages with this wording; null if none is written down.
const Meaning* find_meaning(std::string_view wording);

/// The meaning of a message without its prefix; null if none is written down.
const Meaning* meaning_of(std::string_view message);

/// The wordings of warnings that share the most and rarest words with the text, nearest first, at most `most`. Each
/// shares at least two, and half of its own words.
std::vector<const Meaning*> nearest_meanings(std::string_view text, std::size_t most);

extern const std::string_view meanings_table;  ///< meanings.tsv

}  // namespace nccl_analyze
