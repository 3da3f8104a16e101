// Parses the lists of ranks, trees and chains in events (lists.h), and describes events by name and fields (event.h).

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "messages/list_cursor.h"
#include "messages/scan.h"

namespace nccl_analyze {

bool RankList::next(int& rank) {
  const std::size_t start = rest_.find_first_not_of(' ');
  if (start == std::string_view::npos) return false;
  const std::string_view item = rest_.substr(start);
  const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), rank);
  // At `12...`, NCCL truncated the list, and 12 may be the start of a longer number.
  const std::string_view after = item.substr(static_cast<std::size_t>(end - item.data()));
  if (error != std::errc{} || after.starts_with(".")) return false;
  rest_ = after;
  return true;
}

bool TreeList::next(TreeLink& link) {
  detail::Cursor now(rest_);
  while (now.skip(' ')) {
  }
  TreeLink read;
  if (!now.skip('[') || !now.number(read.channel) || !now.skip(']', ' ')) return false;
  for (const Item& same : last_) {
    const std::size_t size = same.text.size();
    if (size == 0 || !begins_with(now.at, now.end, same.text)) continue;
    if (now.at + size != now.end && now.at[size] != ' ') continue;
    link = same.link;
    link.channel = read.channel;
    rest_ = now.rest().substr(size);
    return true;
  }
  const char* const begin = now.at;
  int first = -1;
  if (!now.number(first)) return false;
  bool whole = false;
  if (now.skip('-', '>')) {
    read.up = first;
    whole = now.number(read.rank) && now.skip('-', '>') && now.number(read.down[0]) && now.skip('/') &&
            now.number(read.down[1]) && now.skip('/') && now.number(read.down[2]);
  } else {
    read.down[0] = first;
    whole = now.skip('/') && now.number(read.down[1]) && now.skip('/') && now.number(read.down[2]) &&
            now.skip('-', '>') && now.number(read.rank) && now.skip('-', '>') && now.number(read.up);
    if (whole && now.skip('|')) {  // the second tree, for data going down (2.5.6 to 2.7.8)
      int ignored = -1;
      whole = now.number(ignored) && now.skip('-', '>') && now.number(ignored) && now.skip('-', '>') &&
              now.number(ignored) && now.skip('/') && now.number(ignored) && now.skip('/') && now.number(ignored);
    }
  }
  if (!whole || (now.at != now.end && *now.at != ' ')) return false;
  link = read;
  rest_ = now.rest();
  last_ = {Item{{begin, static_cast<std::size_t>(now.at - begin)}, read}, last_[0]};
  return true;
}

bool ChainList::next(ChainLink& link) {
  detail::Cursor now(rest_);
  while (now.skip(' ')) {
  }
  ChainLink read;
  const bool whole = now.skip('[') && now.number(read.channel) && now.skip(']', ' ') && now.number(read.down) &&
                     now.skip('-', '>') && now.number(read.rank) && now.skip('-', '>') && now.number(read.up);
  if (!whole || (now.at != now.end && *now.at != ' ')) return false;
  link = read;
  rest_ = now.rest();
  return true;
}

namespace {

/// The name and fields of a type of event.
struct EventType {
  std::string_view name;
  std::span<const Field> fields;
};

template <class>
struct TypesOf;
template <class... E>
struct TypesOf<std::variant<E...>> {
  static constexpr std::array<EventType, sizeof...(E)> all{EventType{E::name, fields_of<E>}...};
};

}  // namespace

std::string_view event_name(const Event& event) { return TypesOf<Event>::all[event.index()].name; }

std::span<const Field> fields_in(const Event& event) { return TypesOf<Event>::all[event.index()].fields; }

}  // namespace nccl_analyze
