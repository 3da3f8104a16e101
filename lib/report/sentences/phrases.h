#pragma once
/// Formats parts of sentences: counted nouns and lists.

#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Formats a count with its noun: `1 host`, `8 hosts`.
inline std::string count_text(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count).append(" ").append(count == 1 ? one : many);
}

/// Appends `item` to a list, after `separator` unless the list is empty. An empty item is skipped.
inline void append_item(std::string& list, std::string_view item, std::string_view separator = ", ") {
  if (item.empty()) return;
  if (!list.empty()) list += separator;
  list += item;
}

}  // namespace nccl_analyze
