#pragma once
// The loops of line_scan.h without vectors: for text shorter than a vector, for machines without vectors, and as the
// reference with which tests compare the vector loops.

#include <algorithm>
#include <cstring>

#include "text/line_scan.h"

namespace nccl_analyze {

extern const LineScan bytewise_scan;

constexpr std::string_view nccl = "NCCL ";  ///< The marker of a record.

/// Whether `text` has `word` at `at`. False for a position beyond the end, such as `0 - 1`, which wraps.
inline bool stands_at(std::string_view text, std::size_t at, std::string_view word) {
  return at < text.size() && text.size() - at >= word.size() &&
         std::memcmp(text.data() + at, word.data(), word.size()) == 0;
}

/// Whether a second record of a line may start at `at`: `NCCL ` and a capital letter, as in `NCCL INFO`. `NCCL version`
/// inside a message does not start a record.
inline bool begins_record(std::string_view text, std::size_t at) {
  const std::size_t level = at + nccl.size();
  return stands_at(text, at, nccl) && level < text.size() && text[level] >= 'A' && text[level] <= 'Z';
}

/// Returns one past the last position at which an anchor fits into `text`.
inline std::size_t end_of_anchors(std::string_view text) {
  return text.size() - std::min(text.size(), anchor_size - 1);
}

/// Whether `text` has a marker other than `NCCL ` at `at`.
bool other_marker_at(std::string_view text, std::size_t at);

}  // namespace nccl_analyze
