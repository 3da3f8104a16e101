// Recognises tags by their form. Timestamps, levels and the names of files and pods may stand in brackets too, but they
// contain a blank or a slash, or no number.

#include "text/launcher_tag.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "text/digits.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_tag = 64;  // bytes

bool is_name_char(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-'; }

/// Returns a number and a colon, such as `0:`, at the start of the text. Empty unless a blank or the end of the text
/// follows.
std::string_view task_tag(std::string_view text) {
  const std::size_t colon = text.find_first_not_of("0123456789");
  const bool is_task =
      colon != 0 && colon < text.size() && text[colon] == ':' && (colon + 1 == text.size() || text[colon + 1] == ' ');
  return is_task ? text.substr(0, colon + 1) : std::string_view{};
}

/// Returns the text from `pid=` to the closing bracket: `pid=4711, ip=10.0.0.7`. Empty if there is no such text.
std::string_view pid_tag(std::string_view text) {
  constexpr std::string_view sign = "pid=";
  const std::size_t at = text.find(sign);
  if (at == std::string_view::npos || (at > 0 && text[at - 1] != '(' && text[at - 1] != ' ')) return {};
  if (at + sign.size() >= text.size() || !is_digit(text[at + sign.size()])) return {};
  return text.substr(at, text.find(')', at) - at);
}

/// Whether the text in brackets is a role with a number, `trainer0`, or a job and a rank, `1,3`.
bool is_role(std::string_view inside) {
  if (inside.empty() || inside.size() > max_tag || !is_digit(inside.back())) return false;
  const std::size_t number = inside.find_last_not_of("0123456789");
  if (number == std::string_view::npos) return false;
  const std::string_view before = inside.substr(0, number + 1);
  if (before.back() == ',') return before.size() > 1 && std::all_of(before.begin(), before.end() - 1, is_digit);
  return is_name_char(before.front()) &&
         std::all_of(before.begin(), before.end(), [](char c) { return is_name_char(c) || is_digit(c); });
}

/// Returns the length of `|2` at the start of the text, where 2 is the number of the process in the job; 0 unless a
/// closing bracket or the end of the text follows. This number distinguishes processes of several hosts whose roles
/// have the same numbers.
std::size_t rank_length(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789", 1);
  const std::size_t length = std::min(end, text.size());
  return text.starts_with('|') && length > 1 && (length == text.size() || text[length] == ']') ? length : 0;
}

/// Returns the tag, such as `[trainer0` or `[trainer0|2`, of the first brackets that contain a role; empty if the first
/// four brackets contain none.
std::string_view role_tag(std::string_view text) {
  // The role need not be in the first brackets, because a timestamp may precede it.
  constexpr int most = 4;
  std::size_t open = text.find('[');
  for (int seen = 0; seen < most && open != std::string_view::npos; ++seen, open = text.find('[', open + 1)) {
    const std::size_t end = std::min(text.find_first_of("]|", open), text.size());
    if (is_role(text.substr(open + 1, end - open - 1)))
      return text.substr(open, end - open + rank_length(text.substr(end)));
  }
  return {};
}

}  // namespace

std::string_view launcher_tag(std::string_view decoration) {
  decoration.remove_prefix(std::min(decoration.find_first_not_of(' '), decoration.size()));
  if (decoration.empty()) return {};
  if (const std::string_view task = task_tag(decoration); !task.empty()) return task;
  if (const std::string_view pid = pid_tag(decoration); !pid.empty()) return pid;
  return role_tag(decoration);
}

bool is_rank_tag(std::string_view tag) { return rank_of_tag(tag) >= 0; }

bool is_printed_by_hook(std::string_view before) {
  constexpr std::string_view end = "]: ";
  if (!before.ends_with(end)) return false;
  before.remove_suffix(end.size());
  const std::size_t open = before.rfind('[');
  return open != std::string_view::npos && is_rank_tag(before.substr(open));
}

int rank_of_tag(std::string_view tag) {
  constexpr std::string_view beginning = "[rank";
  if (!tag.starts_with(beginning)) return -1;
  int rank = -1;
  const auto [end, error] = std::from_chars(tag.data() + beginning.size(), tag.data() + tag.size(), rank);
  return error == std::errc{} && end == tag.data() + tag.size() ? rank : -1;
}

}  // namespace nccl_analyze
