#pragma once
/// Searches short texts and lists.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

bool contains(std::string_view text, std::string_view part);
bool one_of(std::string_view text, std::initializer_list<std::string_view> choices);
/// Appends `item` unless the vector contains it already.
void add_once(std::vector<std::string>& items, std::string item);

/// A row of a table that says what a number or a word means.
template <class Key>
struct Gloss {
  Key key;
  std::string_view text;
};
/// Returns the text of the row with this key; empty if there is none.
template <class Rows, class Key>
constexpr std::string_view gloss_of(const Rows& rows, const Key& key) {
  for (const auto& row : rows)
    if (row.key == key) return row.text;
  return {};
}

}  // namespace nccl_analyze
