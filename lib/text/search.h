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

}  // namespace nccl_analyze
