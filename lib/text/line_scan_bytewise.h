#pragma once
// The loops of line_scan.h one byte at a time: for text shorter than a vector, for machines without vectors, and as the
// reference that tests compare the vector loops with.

#include <algorithm>
#include <cstring>

#include "text/line_scan.h"

namespace nccl_analyze {

extern const LineScan bytewise_scan;

constexpr std::string_view nccl = "NCCL ";  ///< The marker of a record.

/// Whether `word` stands at `at`. Callers may pass `0 - 1`, which wraps to a position beyond the end: false.
inline bool stands_at(std::string_view text, std::size_t at, std::string_view word) {
  return at < text.size() && text.size() - at >= word.size() &&
         std::memcmp(text.data() + at, word.data(), word.size()) == 0;
}

/// Whether a second record of a line may begin at `at`: `NCCL ` and a capital letter, as in `NCCL INFO`. The words
/// `NCCL version` inside a message begin no record.
inline bool begins_record(std::string_view text, std::size_t at) {
  const std::size_t level = at + nccl.size();
  return stands_at(text, at, nccl) && level < text.size() && text[level] >= 'A' && text[level] <= 'Z';
}

/// One past the last position where an anchor fits.
inline std::size_t end_of_anchors(std::string_view text) {
  return text.size() - std::min(text.size(), anchor_size - 1);
}

/// Whether a marker other than `NCCL ` stands at `at`.
bool other_marker_at(std::string_view text, std::size_t at);

}  // namespace nccl_analyze
