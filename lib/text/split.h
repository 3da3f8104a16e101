#pragma once
/// Takes a text apart at a mark.

#include <algorithm>
#include <string_view>

namespace nccl_analyze {

/// Removes the part of `text` before the first `mark`, and the mark itself. Returns the part: all of the text if it has
/// no such mark.
inline std::string_view take_until(std::string_view& text, char mark) {
  const std::string_view part = text.substr(0, text.find(mark));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

}  // namespace nccl_analyze
