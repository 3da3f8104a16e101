#pragma once
// Access to the string views of an event, for code that keeps events longer than their lines.

#include <concepts>
#include <span>
#include <string_view>
#include <type_traits>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// A list type of lists.h, such as RankList: a view of the text that it parses.
template <class T>
concept Listing = requires(const T& list) {
  { list.text() } -> std::same_as<std::string_view>;
  T{list.text()};
};

/// Returns the text to which a member of an event refers; empty for numbers.
template <class T>
std::string_view view_of(const T& member) {
  if constexpr (std::is_same_v<T, std::string_view>)
    return member;
  else if constexpr (Listing<T>)
    return member.text();
  else
    return {};
}

/// Replaces each view in the event at `event` by keep(view).
template <class Keep>
void replace_views(void* event, std::span<const Field> fields, Keep&& keep) {
  const auto replace = [&](auto& member) {
    using T = std::remove_reference_t<decltype(member)>;
    if constexpr (std::is_same_v<T, std::string_view>)
      member = keep(member);
    else if constexpr (Listing<T>)
      member = T{keep(member.text())};
  };
  for (const Field& field : fields) field.visit(event, replace);
}

}  // namespace nccl_analyze
