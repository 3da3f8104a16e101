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
  std::string_view rest = rest_.substr(std::min(rest_.find_first_not_of(' '), rest_.size()));
  TreeLink read;
  if (!rest.starts_with('[')) return false;
  rest.remove_prefix(1);
  const bool whole = detail::take(rest, read.channel, "] ") && detail::take(rest, read.down[0], "/") &&
                     detail::take(rest, read.down[1], "/") && detail::take(rest, read.down[2], "->") &&
                     detail::take(rest, read.rank, "->") && detail::take(rest, read.up, "");
  if (!whole || (!rest.empty() && rest.front() != ' ')) return false;
  link = read;
  rest_ = rest;
  return true;
}

std::string_view event_name(const Event& event) {
  return std::visit([](const auto& e) { return std::remove_cvref_t<decltype(e)>::name; }, event);
}

}  // namespace nccl_analyze
