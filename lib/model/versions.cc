#include "model/versions.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "text/digits.h"

namespace nccl_analyze {

namespace {

/// Removes the leading digits from `text` and returns them without leading zeros.
std::string_view take_number(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(number.size());
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

bool lower_version(std::string_view a, std::string_view b) {
  const std::pair whole{a, b};
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view left = take_number(a), right = take_number(b);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole.first < whole.second;  // 2.04 and 2.4 are equal as numbers
}

std::string meant_version(std::string_view printed) {
  // A version code of five digits is 2YYZZ. A program that expects codes of four digits, XYZZ, prints it as 2Y.Y.ZZ.
  // The first release with five digits is 2.9, which is then printed as 20.9.
  const bool misread = printed.size() > 5 && printed.front() == '2' && is_digit(printed[1]) && printed[2] == '.' &&
                       is_digit(printed[3]) && printed[4] == '.' && (printed[1] != '0' || printed[3] == '9');
  if (!misread) return std::string(printed);
  std::string meant = "2.";
  if (printed[1] != '0') meant += printed[1];
  return meant.append(1, printed[3]).append(printed.substr(4));
}

int release_of(std::string_view version) {
  constexpr std::string_view major = "2.";
  int minor = -1;
  if (version.starts_with(major))
    std::from_chars(version.data() + major.size(), version.data() + version.size(), minor);
  constexpr int most = 999;  // a larger number comes from a damaged line
  return minor < 0 || minor > most ? 0 : 200 + minor;
}

}  // namespace nccl_analyze
