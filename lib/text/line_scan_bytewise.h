#pragma once
// The loops of line_scan.h one byte at a time: for what is shorter than a block of bytes, for machines without vectors,
// and as what every other must give.

#include <algorithm>
#include <cstring>

#include "text/line_scan.h"

namespace nccl_analyze {

extern const LineScan bytewise_scan;

constexpr std::string_view nccl = "NCCL ";

/// A place before the text is none: it is beyond its end.
inline bool stands_at(std::string_view text, std::size_t at, std::string_view word) {
  return at < text.size() && text.size() - at >= word.size() &&
         std::memcmp(text.data() + at, word.data(), word.size()) == 0;
}

/// Whether `NCCL ` at `at` may begin a second record of a line. Levels are capital letters: `NCCL version` inside a
/// record begins no other.
inline bool begins_record(std::string_view text, std::size_t at) {
  const std::size_t level = at + nccl.size();
  return stands_at(text, at, nccl) && level < text.size() && text[level] >= 'A' && text[level] <= 'Z';
}

/// Of the places where an anchor may begin.
inline std::size_t end_of_anchors(std::string_view text) {
  return text.size() - std::min(text.size(), anchor_size - 1);
}

/// Whether a marker other than `NCCL ` stands at `at`.
bool other_marker_at(std::string_view text, std::size_t at);

}  // namespace nccl_analyze
