#pragma once
/// Access to untrusted JSON: a value of another type counts as missing. Objects are read by their tables of members
/// (queries/members/member.h).

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "nccl_analyze/compare.h"
#include "queries/members/member.h"

namespace nccl_analyze {

using Json = nlohmann::json;

/// Returns the member of an object; JSON null if there is none.
inline const Json& member(const Json& object, std::string_view key) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

/// Returns the array; an empty one for any other value.
inline const Json& items_of(const Json& value) {
  static const Json nothing = Json::array();
  return value.is_array() ? value : nothing;
}
/// Returns the array in a member; an empty array if the member is missing or no array.
inline const Json& elements(const Json& object, std::string_view key) { return items_of(member(object, key)); }

inline std::string text_of(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string{};
}

/// Returns an integer from 0 to `most`; -1 for any other value.
inline int number_of(const Json& value, std::int64_t most = std::int64_t{1} << 30) {
  if (!value.is_number_unsigned() || most < 0) return -1;
  const auto number = value.get<std::uint64_t>();
  return number > static_cast<std::uint64_t>(most) ? -1 : static_cast<int>(number);
}
/// Returns the position in a member; -1 if it is not known, or beyond a table of this size.
inline Index index_of(const Json& object, std::string_view key, std::size_t size) {
  return number_of(member(object, key), static_cast<std::int64_t>(size) - 1);
}

namespace members {

template <class T>
void read_object(const Json& json, T& into);

// read(): sets `into` if the JSON is a value of this kind. What a kind has no overload for is derived from other
// members, or refers to another table: it is left out.

template <class Kind, class T>
void read(const Json&, const Kind&, T&) {}

template <class T>
void read_plain(const Json& json, T& into) {
  if constexpr (std::is_same_v<T, bool>) {
    into = json.is_boolean() && json.get<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    constexpr std::uint64_t most = sizeof(T) > 4 ? largest : std::min(largest, std::uint64_t{1} << 30);
    if (json.is_number_unsigned() && json.get<std::uint64_t>() <= most)
      into = static_cast<T>(json.get<std::uint64_t>());
  } else if constexpr (std::is_floating_point_v<T>) {
    if (json.is_number()) into = json.get<T>();
  } else if (json.is_string()) {
    into = json.get<std::string>();
  }
}
template <class T>
void read(const Json& json, const Plain&, T& into) {
  read_plain(json, into);
}
template <class T>
void read(const Json& json, const Known&, T& into) {
  read_plain(json, into);
}
inline void read(const Json& json, Measured, double& into) { read_plain(json, into); }
inline void read(const Json& json, TriState, int& into) {
  if (json.is_boolean()) into = static_cast<int>(json.get<bool>());
}
inline std::optional<std::uint64_t> hex_of(const Json& json) {
  const std::string text = json.is_string() ? json.get<std::string>() : std::string{};
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return error == std::errc() && end == text.data() + text.size() ? std::optional{number} : std::nullopt;
}
inline void read(const Json& json, BusId, std::uint64_t& into) { into = hex_of(json).value_or(into); }
template <auto Last, class T>
void read(const Json& json, Word<Last>, T& into) {
  for (int i = 0; json.is_string() && i <= static_cast<int>(Last); ++i)
    if (json == to_string(static_cast<T>(i))) into = static_cast<T>(i);
}
template <auto Last>
void read(const Json& json, Bits<Last>, std::uint8_t& into) {
  for (const Json& word : items_of(json))
    for (int i = 0; i <= static_cast<int>(Last); ++i)
      if (const auto one = static_cast<decltype(Last)>(i); word == to_string(one))
        into = static_cast<std::uint8_t>(into | bit_of(one));
}
template <class T>
void read(const Json& json, const Array<Plain>&, T& into) {
  using Item = std::remove_cvref_t<decltype(*into.begin())>;
  std::vector<Item> items;
  for (const Json& item : items_of(json)) {
    if constexpr (std::is_integral_v<Item>) {
      items.push_back(number_of(item));
    } else {
      read_plain(item, items.emplace_back());
    }
  }
  into = std::move(items);
}
inline void read(const Json& json, Pairs, SharedList<std::pair<int, int>>& into) {
  std::vector<std::pair<int, int>> pairs;
  for (const Json& pair : items_of(json))
    if (pair.is_array() && pair.size() == 2) pairs.emplace_back(number_of(pair[0]), number_of(pair[1]));
  into = std::move(pairs);
}
template <class T>
void read(const Json& json, Object, Boxed<T>& into) {
  if (json.is_object()) read_object(json, into.made());
}
template <class T>
void read(const Json& json, List, T& into) {
  for (const Json& item : items_of(json)) read_object(item, into.emplace_back());
}

template <class T, class... Rows>
void read_rows(const Json& json, T& owner, const std::tuple<Rows...>& rows);

template <class T>
void read_member(const Json&, T&, const Head&) {}
template <class T, class Get, class Kind, Presence When>
void read_member(const Json& json, T& owner, const Member<Kind, Get, When>& row) {
  if constexpr (std::is_member_object_pointer_v<Get>)
    read(nccl_analyze::member(json, row.key), row.kind, owner.*row.get);
}
template <class T, class Get, class Rows>
void read_member(const Json& json, T& owner, const Member<Group<Rows>, Get>& row) {
  read_rows(nccl_analyze::member(json, row.key), owner, row.kind.rows);
}
template <class T, class... Rows>
void read_rows(const Json& json, T& owner, const std::tuple<Rows...>& rows) {
  std::apply([&](const Rows&... row) { (read_member(json, owner, row), ...); }, rows);
}
template <class T>
void read_object(const Json& json, T& into) {
  read_rows(json, into, members_of<T>);
}

}  // namespace members

/// Returns the object that the JSON shows, by the table of its members.
template <class T>
T object_of(const Json& json) {
  T object;
  members::read_object(json, object);
  return object;
}

/// Reads a communicator of the report with its ranks, graphs and connections. `processes`: number of processes in the
/// report, for the check of Rank::process.
Communicator read_communicator(const Json& json, std::size_t processes);

}  // namespace nccl_analyze
