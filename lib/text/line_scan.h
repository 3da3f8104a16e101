#pragma once
// The loops that touch every byte of a log, compiled once per instruction set: they find the few lines worth parsing.

#include <cstddef>
#include <span>
#include <string_view>

#include "text/words.h"

namespace nccl_analyze {

/// Words at which a record may begin: `NCCL `, and the words with which other programs quote NCCL's version.
extern const WordSet markers;

/// Words of which each line worth parsing holds at least one: the markers, words of NCCL's records without a marker
/// (text/unmarked.h), and words of failures that frameworks, launchers and the kernel print
/// (lib/messages/facts/external.cc).
extern const WordSet keywords;

/// A line that is ASCII without control characters and double quotes and holds exactly one record, so that it needs no
/// unwrapping or splitting.
struct PlainLine {
  std::size_t size = 0;                         ///< Bytes, without the newline.
  std::size_t marker = std::string_view::npos;  ///< Position of its `NCCL `; npos: not known yet.
};

/// The loops of one instruction set. All sets give the same results.
struct LineScan {
  std::string_view name;
  /// The first of `words` in `text` whose anchor stands at or after `from`.
  FoundWord (*find)(const WordSet& words, std::string_view text, std::size_t from);
  std::size_t (*count_newlines)(std::string_view text);
  /// Whether `text` begins with a plain line and its newline; fills `line` then. A caller that already knows the
  /// position of the marker passes it in `line.marker`, which saves the search.
  bool (*begins_plain)(std::string_view text, PlainLine& line);
};

/// The instruction sets that this machine has, the fastest first. The last, bytewise_scan, runs everywhere.
std::span<const LineScan* const> line_scans();

/// Position of the first marker at or after `from`; npos when there is none. (A marker's anchor is its beginning.)
inline std::size_t find_marker(std::string_view text, std::size_t from = 0) {
  return line_scans().front()->find(markers, text, from).anchor;
}

inline bool has_keyword(std::string_view text) {
  return static_cast<bool>(line_scans().front()->find(keywords, text, 0));
}

}  // namespace nccl_analyze
