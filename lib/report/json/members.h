#pragma once
/// Writes objects by their tables of members (queries/members/member.h).

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "queries/members/context.h"
#include "queries/members/member.h"
#include "text/escape.h"
#include "text/json_writer.h"

namespace nccl_analyze::members {

/// Returns what the getter of a member gives.
template <class Get, class Owner>
decltype(auto) value_of(const Get& get, const Owner& owner, const Context& context) {
  if constexpr (std::is_invocable_v<const Get&, const Owner&, const Context&>) {
    return std::invoke(get, owner, context);
  } else {
    return std::invoke(get, owner);
  }
}

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
/// Whether values of the type may be absent: an optional, a Boxed or a pointer.
template <class T>
inline constexpr bool is_nullable = is_optional<T> || std::is_pointer_v<T>;
template <class T>
inline constexpr bool is_nullable<Boxed<T>> = true;

// shown(): a value in the form that JsonWriter takes.

template <class T>
auto shown(const Plain&, const T& value, const Context&) {
  if constexpr (std::is_same_v<T, Text> || std::is_same_v<T, std::string>) {
    return std::string_view(value);
  } else if constexpr (std::is_same_v<T, SourceId>) {
    return static_cast<std::uint32_t>(value);
  } else {
    return value;
  }
}
template <class T>
auto shown(const Known&, const T& value, const Context&) {
  if constexpr (is_optional<T>) {
    return value;
  } else if constexpr (std::is_floating_point_v<T>) {
    return value < 0 ? std::nullopt : std::optional{value};
  } else if constexpr (std::is_integral_v<T> || std::is_same_v<T, Hex>) {
    return nccl_analyze::known(value);
  } else {
    return nccl_analyze::known(std::string_view(value));
  }
}
template <class T>
auto shown(Reference, const T& value, const Context& context) {
  return shown(Known{}, value, context);
}
inline Index shown(Position, Index value, const Context&) { return value; }
inline std::optional<double> shown(Measured, double value, const Context&) { return nccl_analyze::measured(value); }
inline std::optional<double> shown(Share, std::optional<double> value, const Context&) { return value; }
inline std::optional<bool> shown(TriState, int value, const Context&) {
  return value < 0 ? std::nullopt : std::optional{value == 1};
}
inline std::optional<std::string> shown(BusId, std::optional<std::uint64_t> value, const Context&) {
  return value ? std::optional{to_hex(*value)} : std::nullopt;
}
inline std::optional<std::string> shown(BusId, std::uint64_t value, const Context&) {
  return value == 0 ? std::nullopt : std::optional{to_hex(value)};
}
template <auto Last, class T>
auto shown(Word<Last>, T value, const Context&) {
  return nccl_analyze::known(to_string(value));
}
template <class T>
auto shown(OneOf, const T& value, const Context&) {
  if constexpr (std::is_enum_v<T>) {
    return to_string(value);
  } else if constexpr (is_optional<T>) {
    return value;
  } else {
    return std::string_view(value);
  }
}
inline std::uint64_t shown(Line, LineRef at, const Context& context) { return context.model.place_in_source(at); }

template <class T>
void write_object(JsonWriter& json, const T& value, const Context& context, Layout layout = head_of<T>.layout);

// write(): a value of each kind.

template <class Kind, class T>
void write(JsonWriter& json, const Kind& kind, const T& value, const Context& context) {
  json.value(shown(kind, value, context));
}
template <auto Last>
void write(JsonWriter& json, Bits<Last>, std::uint8_t set, const Context&) {
  json.begin_array(Layout::line);
  for (int i = 0; i <= static_cast<int>(Last); ++i)
    if (const auto one = static_cast<decltype(Last)>(i); (set & bit_of(one)) != 0) json.value(to_string(one));
  json.end();
}
template <class Item, class T>
void write(JsonWriter& json, const Array<Item>& kind, const T& items, const Context& context) {
  if constexpr (is_optional<T>) {
    return items ? write(json, kind, *items, context) : json.null();
  } else {
    json.begin_array(kind.layout);
    for (const auto& item : items) write(json, kind.item, item, context);
    json.end();
  }
}
template <class Item, class T>
void write(JsonWriter& json, const Map<Item>& kind, const T& map, const Context& context) {
  json.begin_object();
  for (const auto& [key, value] : map) {
    json.key_from_log(key);
    write(json, kind.item, value, context);
  }
  json.end();
}
template <class T>
void write(JsonWriter& json, Constant kind, const T&, const Context&) {
  json.value(kind.value);
}
template <class T>
void write(JsonWriter& json, Pairs, const T& items, const Context&) {
  json.begin_array(Layout::line);
  for (const auto& [first, second] : items) {
    json.begin_array();
    json.value(first);
    json.value(second);
    json.end();
  }
  json.end();
}
template <class T>
void write(JsonWriter& json, Object, const T& value, const Context& context) {
  if constexpr (is_nullable<T>) {
    return value ? write_object(json, *value, context) : json.null();
  } else {
    write_object(json, value, context);
  }
}
template <class T>
void write(JsonWriter& json, List kind, const T& items, const Context& context) {
  json.begin_array(kind.layout);
  for (const auto& item : items) write_object(json, item, context);
  json.end();
}

template <class T, class... Rows>
void write_rows(JsonWriter& json, const T& owner, const std::tuple<Rows...>& rows, const Context& context);

// write_member(): a key with its value.

template <class T>
void write_member(JsonWriter&, const T&, const Head&, const Context&) {}
template <class T, class Get, class Kind, Presence When>
void write_member(JsonWriter& json, const T& owner, const Member<Kind, Get, When>& member, const Context& context) {
  const auto& value = value_of(member.get, owner, context);
  if constexpr (When == Presence::sometimes) {
    if (!value) return;
    json.key(member.key);
    write(json, member.kind, *value, context);
  } else {
    json.key(member.key);
    write(json, member.kind, value, context);
  }
}
template <class T, class Get, class Row>
void write_member(JsonWriter& json, const T& owner, const Member<Each<Row>, Get>& member, const Context& context) {
  json.begin_array(member.key);
  member.get(owner, context, [&](const Row& row) { write_object(json, row, context); });
  json.end();
}
template <class T, class Get, class Rows>
void write_member(JsonWriter& json, const T& owner, const Member<Group<Rows>, Get>& member, const Context& context) {
  json.begin_object(member.key, member.kind.layout);
  write_rows(json, owner, member.kind.rows, context);
  json.end();
}
template <class T, class Get>
void write_member(JsonWriter& json, const T& owner, const Member<Flat, Get>& member, const Context& context) {
  const auto& part = value_of(member.get, owner, context);
  write_rows(json, part, members_of<std::remove_cvref_t<decltype(part)>>, context);
}
template <class T, class Get, class As, class Value>
void write_member(JsonWriter& json, const T& owner, const Member<Written<As, Value>, Get>& member,
                  const Context& context) {
  json.key(member.key);
  member.get(json, owner, context);
}

template <class T, class... Rows>
void write_rows(JsonWriter& json, const T& owner, const std::tuple<Rows...>& rows, const Context& context) {
  std::apply([&](const Rows&... row) { (write_member(json, owner, row, context), ...); }, rows);
}

template <class T>
void write_object(JsonWriter& json, const T& value, const Context& context, Layout layout) {
  json.begin_object(layout);
  write_rows(json, value, members_of<T>, context);
  json.end();
}

}  // namespace nccl_analyze::members
