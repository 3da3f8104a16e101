#include "parser/origins.h"

#include <algorithm>
#include <tuple>

namespace nccl_analyze {

std::size_t KnownOrigins::recent_slot(const Origin& origin) {
  auto slot = static_cast<std::size_t>(origin.pid);
  for (const char c : origin.host.substr(origin.host.size() - std::min<std::size_t>(origin.host.size(), 4)))
    slot = slot * 31 + static_cast<unsigned char>(c);
  return slot % std::tuple_size_v<decltype(recent_)>;
}

bool KnownOrigins::has(const Origin& origin) const {
  const Hosts::value_type* const recent = recent_[recent_slot(origin)];
  if (recent != nullptr && recent->first == origin.pid && recent->second.host == origin.host) return true;
  const auto [first, last] = hosts_.equal_range(origin.pid);
  return std::any_of(first, last, [&](const auto& one) { return one.second.host == origin.host; });
}

void KnownOrigins::add(const Origin& origin) {
  Hosts::value_type*& recent = recent_[recent_slot(origin)];
  if (recent == nullptr || recent->first != origin.pid || recent->second.host != origin.host) {
    const auto [first, last] = hosts_.equal_range(origin.pid);
    const auto found = std::find_if(first, last, [&](const auto& one) { return one.second.host == origin.host; });
    if (found != last)
      recent = &*found;
    else if (hosts_.size() < max_known)
      recent = &*hosts_.emplace(origin.pid, Known{std::string(origin.host)});
    else
      return;
  }
  if (recent->second.lines < often) ++recent->second.lines;
}

std::size_t KnownOrigins::before_known_host(std::string_view text) const {
  std::size_t longest = 0;
  for (const auto& [pid, known] : hosts_)
    if (known.host.size() >= min_host && known.host.size() > longest && text.ends_with(known.host))
      longest = known.host.size();
  return longest == 0 ? std::string_view::npos : text.size() - longest;
}

std::string_view KnownOrigins::mended_host(const Origin& origin) const {
  if (has(origin)) return origin.host;
  std::string_view mended = origin.host;
  const auto consider = [&](const Known& known, bool fits) {  // the order of a hash table must not decide
    if (fits && known.lines >= often && (mended == origin.host || known.host < mended)) mended = known.host;
  };
  const auto [first, last] = hosts_.equal_range(origin.pid);
  if (origin.host.size() >= min_host)
    for (auto one = first; one != last; ++one)
      consider(one->second, origin.host.ends_with(one->second.host) || one->second.host.ends_with(origin.host));
  if (mended == origin.host && std::string_view{"-._"}.find(origin.host.front()) != std::string_view::npos)
    for (const auto& one : hosts_) consider(one.second, one.second.host.ends_with(origin.host));
  return mended;
}

}  // namespace nccl_analyze
