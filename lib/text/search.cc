// Linear searches, which suffice for short texts and lists.

#include "text/search.h"

#include <algorithm>
#include <utility>

namespace nccl_analyze {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool one_of(std::string_view text, std::initializer_list<std::string_view> choices) {
  return std::find(choices.begin(), choices.end(), text) != choices.end();
}

void add_once(std::vector<std::string>& items, std::string item) {
  if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(std::move(item));
}

}  // namespace nccl_analyze
