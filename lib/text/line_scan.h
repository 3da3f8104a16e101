#pragma once
// The loops that read every byte of a log to find the lines to parse. They are compiled once for each instruction set.

#include <cstddef>
#include <span>
#include <string_view>

#include "text/words.h"

namespace nccl_analyze {

/// Words at which a record may start: `NCCL `, and the words that other programs print before NCCL's version.
extern const WordSet markers;

/// Words that select the lines to parse: each such line contains at least one. They are the markers, words from records
/// without a marker (text/unmarked.h), and words from failures that frameworks, launchers and the kernel print
/// (lib/messages/facts/external.cc).
extern const WordSet keywords;

/// A line of ASCII without control characters and double quotes that contains exactly one record; it needs no
/// unwrapping or splitting.
struct PlainLine {
  std::size_t size = 0;                         ///< In bytes, without the newline.
  std::size_t marker = std::string_view::npos;  ///< Position of `NCCL ` in the line; npos: not known yet.
};

/// The loops, compiled for one instruction set. All instruction sets find the same words and counts.
struct LineScan {
  std::string_view name;
  /// Returns the first of `words` in `text` whose anchor is at or after `from`.
  FoundWord (*find)(const WordSet& words, std::string_view text, std::size_t from);
  std::size_t (*count_newlines)(std::string_view text);
  /// Whether `text` starts with a plain line and its newline; if so, fills `line`. False also for a plain line that
  /// ends close to the end of `text`. A caller that already knows the position of the marker passes it in
  /// `line.marker`, which saves the search.
  bool (*begins_plain)(std::string_view text, PlainLine& line);
};

/// Returns the loops for the instruction sets of this machine, fastest first. The last entry, bytewise_scan, runs on
/// every machine.
std::span<const LineScan* const> line_scans();

/// Returns the position of the first marker at or after `from`; npos if there is none. The anchor of a marker is its
/// first four bytes.
inline std::size_t find_marker(std::string_view text, std::size_t from = 0) {
  return line_scans().front()->find(markers, text, from).anchor;
}

inline bool has_keyword(std::string_view text) {
  return static_cast<bool>(line_scans().front()->find(keywords, text, 0));
}

}  // namespace nccl_analyze
