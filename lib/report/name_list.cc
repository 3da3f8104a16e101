// Folds host names into the bracket lists that Slurm uses.

#include "report/name_list.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "nccl_analyze/rule.h"
#include "rules/support/message_text.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_name = 40, max_numbers = 40;

/// Returns the offset of the number at the end of a name, or the length of the name if there is no number. Leading
/// zeros belong to the prefix, because numbers in a bracket list have none.
std::size_t number_start(std::string_view name) {
  constexpr std::size_t most_digits = 9;
  std::size_t start = name.size();
  while (start > 0 && name.size() - start < most_digits && name[start - 1] >= '0' && name[start - 1] <= '9') --start;
  while (start + 1 < name.size() && name[start] == '0') ++start;
  return start;
}

}  // namespace

std::string folded_names(const std::vector<std::string_view>& names, std::size_t most) {
  std::map<std::pair<std::string_view, bool>, std::vector<int>> groups;  // by prefix, and whether a number follows
  for (const std::string_view name : names) {
    const std::size_t start = number_start(name);
    std::vector<int>& numbers = groups[{name.substr(0, start), start < name.size()}];
    if (start == name.size()) continue;
    std::from_chars(name.data() + start, name.data() + name.size(), numbers.emplace_back());
  }
  std::string text;
  std::size_t shown = 0, left = names.size();
  for (const auto& [key, numbers] : groups) {
    if (shown++ == most) break;
    left -= std::max<std::size_t>(numbers.size(), 1);
    if (!text.empty()) text += ", ";
    text += truncated(std::string{key.first}, max_name);
    if (numbers.size() == 1) text += std::to_string(numbers.front());
    if (numbers.size() > 1) text += "[" + short_rank_set(numbers, max_numbers) + "]";
  }
  return left == 0 ? text : text + " and " + std::to_string(left) + " more";
}

}  // namespace nccl_analyze
