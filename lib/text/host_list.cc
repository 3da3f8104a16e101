// Expands lists of host names with brackets, and folds names into such lists.

#include "text/host_list.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "text/blanks.h"
#include "text/digits.h"
#include "text/escape.h"
#include "text/split.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_shown_name = 40, max_shown_numbers = 40;
constexpr std::size_t most_digits = 9;

bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
}

std::string quoted(std::string_view text) { return '"' + truncated(visible(text), 60) + '"'; }

std::string padded(std::uint64_t number, std::size_t width) {
  std::string digits = std::to_string(number);
  digits.insert(0, width - std::min(width, digits.size()), '0');
  return digits;
}

/// Expands one name with its brackets.
class Expansion {
 public:
  /// Expands `item` and appends the names to `list`. On failure, appends nothing and sets HostList::error.
  static void add(std::string_view item, HostList& list) {
    Expansion expansion(list.names.size());
    list.error = expansion.expand(item);
    if (list.error.empty()) std::ranges::move(expansion.names_, std::back_inserter(list.names));
  }

 private:
  explicit Expansion(std::size_t before) : before_(before) {}

  /// Returns the error, or an empty string.
  std::string expand(std::string_view item) {
    if (item.empty()) return "a host name is empty";
    while (!item.empty()) {
      const std::size_t bracket = std::min(item.find('['), item.size());
      const std::string_view plain = item.substr(0, bracket);
      if (!std::ranges::all_of(plain, is_name_character)) return quoted(plain) + " is no host name";
      if (std::string error = append({std::string(plain)}); !error.empty()) return error;
      item.remove_prefix(bracket);
      if (item.empty()) break;
      const std::size_t end = item.find(']');
      if (end == std::string_view::npos) return quoted(item) + " has no closing bracket";
      std::vector<std::string> numbers;
      if (std::string error = read_ranges(item.substr(1, end - 1), numbers); !error.empty()) return error;
      if (std::string error = append(numbers); !error.empty()) return error;
      item.remove_prefix(end + 1);
    }
    return {};
  }

  /// Appends the numbers of `ranges`, such as `001-080,100`, to `numbers`. Returns the error, or an empty string.
  std::string read_ranges(std::string_view ranges, std::vector<std::string>& numbers) const {
    do {
      const std::string_view range = take_until(ranges, ',');
      const std::size_t dash = std::min(range.find('-'), range.size());
      const std::string_view first = range.substr(0, dash);
      std::uint64_t from = 0, to = 0;
      const bool is_valid =
          read_number(first, from) && read_number(dash == range.size() ? first : range.substr(dash + 1), to);
      if (!is_valid || to < from) return quoted(range) + " is no range of host numbers such as 001-080";
      if (to - from >= max_hosts - std::min(max_hosts, numbers.size())) return too_many();
      const std::size_t width = first.front() == '0' ? first.size() : 0;
      for (std::uint64_t number = from; number <= to; ++number) numbers.push_back(padded(number, width));
    } while (!ranges.empty());
    return {};
  }

  static bool read_number(std::string_view text, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && text.size() <= 18;
  }

  /// Replaces the names by all combinations of a name and a part. Returns the error, or an empty string.
  std::string append(const std::vector<std::string>& parts) {
    if (names_.size() * parts.size() > max_hosts - std::min(max_hosts, before_)) return too_many();
    std::vector<std::string> longer;
    longer.reserve(names_.size() * parts.size());
    for (const std::string& name : names_)
      for (const std::string& part : parts) {
        if (name.size() + part.size() > max_host_name)
          return "a host name has more than " + std::to_string(max_host_name) + " characters";
        longer.push_back(name + part);
      }
    names_ = std::move(longer);
    return {};
  }

  static std::string too_many() { return "these are more than " + std::to_string(max_hosts) + " hosts"; }

  std::size_t before_;  ///< Number of names that earlier items gave.
  std::vector<std::string> names_{std::string{}};
};

/// Returns the length of `list` up to the first comma outside brackets, or its whole length if there is none.
std::size_t item_length(std::string_view list) {
  bool inside = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '[') inside = true;
    if (list[i] == ']') inside = false;
    if (list[i] == ',' && !inside) return i;
  }
  return list.size();
}

/// Returns the position at which the number at the end of a name begins; name.size() if there is no number. A number
/// has at most most_digits digits; further digits count as part of the name.
std::size_t number_start(std::string_view name) {
  std::size_t start = name.size();
  while (start > 0 && name.size() - start < most_digits && is_digit(name[start - 1])) --start;
  return start;
}

/// Formats sorted numbers as ranges: `001-079,100`. A long text is cut after a comma: `1,3,...`.
std::string ranges_text(const std::vector<std::uint64_t>& numbers, std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += padded(numbers[i], width);
    if (last > i) text.append("-").append(padded(numbers[last], width));
    i = last + 1;
  }
  if (text.size() <= max_shown_numbers) return text;
  const std::size_t comma = text.rfind(',', max_shown_numbers);
  return comma == std::string::npos ? text : text.substr(0, comma + 1) + "...";
}

/// Names with the same prefix whose numbers are padded to the same width.
struct Series {
  std::string_view prefix;
  bool has_number = false;
  std::size_t width = 0;  ///< 0: not padded.
  friend auto operator<=>(const Series&, const Series&) = default;
};

/// Groups the names by series. A number without leading zeros belongs to a padded series if a number of the same length
/// has leading zeros: 100 follows 099.
std::map<Series, std::vector<std::uint64_t>> series_of(const std::vector<std::string_view>& names) {
  std::set<std::pair<std::string_view, std::size_t>> padded_lengths;
  for (const std::string_view name : names) {
    const std::size_t start = number_start(name), length = name.size() - start;
    if (length > 1 && name[start] == '0') padded_lengths.insert({name.substr(0, start), length});
  }
  std::map<Series, std::vector<std::uint64_t>> all;
  for (const std::string_view name : names) {
    const std::size_t start = number_start(name), length = name.size() - start;
    const std::string_view prefix = name.substr(0, start);
    const std::size_t width = padded_lengths.contains({prefix, length}) ? length : 0;
    std::vector<std::uint64_t>& numbers = all[{prefix, length > 0, width}];
    std::uint64_t number = 0;
    std::from_chars(name.data() + start, name.data() + name.size(), number);
    numbers.push_back(number);
  }
  return all;
}

}  // namespace

HostList expand_host_list(std::string_view list) {
  HostList hosts;
  do {
    const std::size_t end = item_length(list);
    Expansion::add(trimmed(list.substr(0, end)), hosts);
    list.remove_prefix(std::min(end + 1, list.size()));
  } while (!list.empty() && hosts.error.empty());
  return hosts;
}

std::string fold_host_list(const std::vector<std::string_view>& names, std::size_t most) {
  std::string text;
  std::size_t shown = 0, left = names.size();
  for (auto& [series, numbers] : series_of(names)) {
    if (shown++ == most) break;
    left -= numbers.size();
    std::vector<std::uint64_t> sorted = numbers;
    std::ranges::sort(sorted);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    if (!text.empty()) text += ", ";
    text += truncated(std::string{series.prefix}, max_shown_name);
    if (!series.has_number) continue;
    const std::string ranges = ranges_text(sorted, series.width);
    text += sorted.size() == 1 ? ranges : '[' + ranges + ']';
  }
  return left == 0 ? text : text + " and " + std::to_string(left) + " more";
}

}  // namespace nccl_analyze
