#pragma once
// The loops over all bytes of a log, once for each instruction set that speeds them up.

#include <cstddef>
#include <span>
#include <string_view>

#include "text/words.h"

namespace nccl_analyze {

/// Words that NCCL's lines, or lines that quote its version, hold.
extern const WordSet markers;

/// These, those of NCCL's records without the word (text/unmarked.h), and those of lines that are not NCCL's own and
/// yet tell what became of the job: of frameworks, launchers and the kernel. lib/messages/facts/external.cc reads them.
extern const WordSet signs;

/// A line that holds one record and nothing that has to be stripped, unwrapped or told apart.
struct PlainLine {
  std::size_t size = 0;                         ///< Without its newline; 0: not known yet.
  std::size_t marker = std::string_view::npos;  ///< Where its first marker stands, `NCCL `; npos: not known yet.
};

/// What one instruction set does; all give the same.
struct LineScan {
  std::string_view name;
  /// The first word that stands whole in `text` with its anchor at or after `from`.
  FoundWord (*find)(const WordSet& words, std::string_view text, std::size_t from);
  std::size_t (*count_newlines)(std::string_view text);
  /// Whether `text` begins with a whole line whose first marker is `NCCL `, where no other can begin a record, and that
  /// has neither a control character, nor a double quote, nor a byte that is not ASCII. Fills `line` then; where the
  /// marker is in it, it is not looked for.
  bool (*begins_plain)(std::string_view text, PlainLine& line);
};

/// Those that this machine can run, the fastest first; the last runs everywhere.
std::span<const LineScan* const> line_scans();

/// As the fastest does. A marker's anchor is its beginning.
inline std::size_t find_marker(std::string_view text, std::size_t from = 0) {
  return line_scans().front()->find(markers, text, from).anchor;
}
inline bool has_sign(std::string_view text) { return static_cast<bool>(line_scans().front()->find(signs, text, 0)); }

}  // namespace nccl_analyze
