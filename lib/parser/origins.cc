#include "parser/origins.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace nccl_analyze {

KnownOrigins::KnownOrigins(const KnownOrigins& other) : hosts_(other.hosts_), changes_(other.changes_) {
  for (Hosts::value_type& known : hosts_) by_host_.emplace(std::hash<std::string_view>{}(known.second.host), &known);
}

std::size_t KnownOrigins::recent_slot(const Origin& origin) {
  auto slot = static_cast<std::size_t>(origin.pid);
  for (const char c : origin.host.substr(origin.host.size() - std::min<std::size_t>(origin.host.size(), 4)))
    slot = slot * 31 + static_cast<unsigned char>(c);
  return slot % std::tuple_size_v<decltype(recent_)>;
}

KnownOrigins::Hosts::value_type* KnownOrigins::find(const Origin& origin) const {
  Hosts::value_type*& recent = recent_[recent_slot(origin)];
  if (recent != nullptr && recent->first == origin.pid && recent->second.host == origin.host) return recent;
  const auto [first, last] = by_host_.equal_range(std::hash<std::string_view>{}(origin.host));
  const auto found = std::find_if(first, last, [&](const auto& one) {
    return one.second->first == origin.pid && one.second->second.host == origin.host;
  });
  return found == last ? nullptr : recent = found->second;
}

KnownOrigins::Hosts::value_type* KnownOrigins::add(const Origin& origin) {
  Hosts::value_type* const known = &*hosts_.emplace(origin.pid, Known{std::string(origin.host)});
  by_host_.emplace(std::hash<std::string_view>{}(origin.host), known);
  return known;
}

void KnownOrigins::forget(const Hosts::value_type& known) {
  Origin origin;
  origin.pid = known.first;
  origin.host = known.second.host;
  recent_[recent_slot(origin)] = nullptr;
  auto named = by_host_.equal_range(std::hash<std::string_view>{}(origin.host)).first;
  while (named->second != &known) ++named;
  by_host_.erase(named);
  auto one = hosts_.equal_range(known.first).first;
  while (&*one != &known) ++one;
  hosts_.erase(one);
}

void KnownOrigins::undo() {
  for (; !learned_.empty(); learned_.pop_back()) {
    --changes_;
    if (--learned_.back()->second.lines == 0) forget(*learned_.back());
  }
  trying_ = false;
}

KnownOrigins::Meaning KnownOrigins::take(const Origin& origin) {
  Hosts::value_type* known = find(origin);
  // beyond the limit nothing new is known: looking at all that is, at every line, would find nothing
  if (known == nullptr && full()) return {origin.host, true};
  Meaning meaning{origin.host};
  if (known == nullptr) {
    Origin meant = origin;
    meant.host = meaning.host = mended_host(origin);
    if (meant.host != origin.host) known = find(meant);
    if (known == nullptr) known = add(meant);
  }
  if (known->second.lines < often) {
    ++known->second.lines;
    ++changes_;
    if (trying_) learned_.push_back(known);
  }
  const bool itself = meaning.host == origin.host;
  meaning.settled = itself && (full() || known->second.lines >= often);
  return meaning;
}

std::size_t KnownOrigins::before_known_host(std::string_view text) const {
  std::size_t longest = 0;
  for (const auto& [pid, known] : hosts_)
    if (known.host.size() >= min_host && known.host.size() > longest && text.ends_with(known.host))
      longest = known.host.size();
  return longest == 0 ? std::string_view::npos : text.size() - longest;
}

/// The host that one that is not known means.
std::string_view KnownOrigins::mended_host(const Origin& origin) const {
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
