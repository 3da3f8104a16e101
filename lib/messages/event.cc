// Small parts of events: lists of ranks and trees, names.

#include <algorithm>
#include <charconv>

#include "messages/scan.h"

namespace nccl_analyze {

bool RankList::next(int& rank) {
  const std::size_t start = rest_.find_first_not_of(' ');
  if (start == std::string_view::npos) return false;
  const std::string_view item = rest_.substr(start);
  const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), rank);
  // `12...`: the last number before the dots may itself be cut
  const std::string_view after = item.substr(static_cast<std::size_t>(end - item.data()));
  if (error != std::errc{} || after.starts_with(".")) return false;
  rest_ = after;
  return true;
}

bool TreeList::next(TreeLink& link) {
  using detail::take;
  std::string_view rest = rest_.substr(std::min(rest_.find_first_not_of(' '), rest_.size()));
  TreeLink read;
  if (!rest.starts_with('[')) return false;
  rest.remove_prefix(1);
  if (!take(rest, read.channel, "] ")) return false;
  int first = -1;
  if (!take(rest, first, "")) return false;
  const bool up_first = rest.starts_with("->");
  rest.remove_prefix(up_first ? 2 : rest.starts_with('/') ? 1 : 0);
  bool whole = false;
  if (up_first) {
    read.up = first;
    whole = take(rest, read.rank, "->") && take(rest, read.down[0], "/") && take(rest, read.down[1], "/") &&
            take(rest, read.down[2], "");
  } else {
    read.down[0] = first;
    whole = take(rest, read.down[1], "/") && take(rest, read.down[2], "->") && take(rest, read.rank, "->") &&
            take(rest, read.up, "");
    if (whole && rest.starts_with('|')) {  // the way down
      rest.remove_prefix(1);
      int ignored = -1;
      whole = take(rest, ignored, "->") && take(rest, ignored, "->") && take(rest, ignored, "/") &&
              take(rest, ignored, "/") && take(rest, ignored, "");
    }
  }
  if (!whole || (!rest.empty() && rest.front() != ' ')) return false;
  link = read;
  rest_ = rest;
  return true;
}

bool ChainList::next(ChainLink& link) {
  using detail::take;
  std::string_view rest = rest_.substr(std::min(rest_.find_first_not_of(' '), rest_.size()));
  ChainLink read;
  if (!rest.starts_with('[')) return false;
  rest.remove_prefix(1);
  const bool whole = take(rest, read.channel, "] ") && take(rest, read.down, "->") && take(rest, read.rank, "->") &&
                     take(rest, read.up, "");
  if (!whole || (!rest.empty() && rest.front() != ' ')) return false;
  link = read;
  rest_ = rest;
  return true;
}

std::string_view event_name(const Event& event) {
  return std::visit([](const auto& e) { return std::remove_cvref_t<decltype(e)>::name; }, event);
}

}  // namespace nccl_analyze
