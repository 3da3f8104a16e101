#pragma once
/// Formats parts of sentences: counted nouns, lists and numbers.

#include <charconv>
#include <concepts>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/message_text.h"

namespace nccl_analyze {

/// As count_text() of a std::size_t.
std::string count_text(std::signed_integral auto count, std::string_view noun) {
  return count_text(static_cast<std::size_t>(count), noun);
}

/// Formats a count of more than a noun: `1 other tree is`, `2 other trees are`.
std::string count_text(std::integral auto count, std::string_view one, std::string_view many) {
  return concat(count, " ", count == 1 ? one : many);
}

/// Appends `item` to a list, after `separator` unless the list is empty. An empty item is skipped.
inline void append_item(std::string& list, std::string_view item, std::string_view separator = ", ") {
  if (item.empty()) return;
  if (!list.empty()) list += separator;
  list += item;
}

/// Joins what `text_of` returns for the items.
template <class Items, class TextOf>
std::string joined_by(const Items& items, const TextOf& text_of, std::string_view separator = ", ") {
  std::string list;
  for (const auto& item : items) append_item(list, std::invoke(text_of, item), separator);
  return list;
}

/// Joins the items: `a, b, c`. Of more than `most` items the others are only counted: `a, b and 5 more`.
template <class Items>
std::string joined(const Items& items, std::string_view separator = ", ", std::size_t most = std::string::npos,
                   std::string_view and_more = " and ") {
  std::string list;
  std::size_t shown = 0;
  for (const auto& item : items) {
    if (shown == most) return list + concat(and_more, items.size() - most, " more");
    list.append(shown++ == 0 ? std::string_view{} : separator).append(item);
  }
  return list;
}

/// As list_text() of the items of a set.
template <class Text, class Less>
std::string list_text(const std::set<Text, Less>& items, std::size_t most = 4) {
  return list_text(std::vector<std::string>(items.begin(), items.end()), most);
}

/// Formats a number with at most four significant digits, or as many as asked for: `12.5`, `400`.
inline std::string significant(double number, int digits = 4) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::general, digits).ptr};
}

}  // namespace nccl_analyze
