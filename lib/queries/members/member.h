#pragma once
/// Tables of members: what the JSON report shows of a type, with each key spelt once. The writer, the schema and the
/// reader of reports follow from `members_of<T>`.

#include <functional>
#include <limits>
#include <string_view>
#include <tuple>

#include "text/json_writer.h"

namespace nccl_analyze::members {

// The kinds of values. A kind says how a value stands in the report, its limits are those of the schema.

inline constexpr int no_limit = std::numeric_limits<int>::min();

/// The value as it is.
struct Plain {
  int minimum = no_limit;
  std::string_view pattern = {};  ///< Regular expression of a text.
};
/// Null if the value is unknown: an empty text or optional, a negative number, the id 0.
struct Known {
  int minimum = 0;  ///< Of whole numbers.
  std::string_view pattern = {};
};
/// The position of an object in another table of the report; null if it is -1. The reader leaves it out, because it
/// must not trust it.
struct Reference {};
/// One of several such positions.
struct Position {};
/// A measured number; null if it is not positive.
struct Measured {};
/// A share of 1; null if there is nothing to share.
struct Share {};
/// 1, 0 or -1 as true, false or null.
struct TriState {};
/// A PCI bus id in hexadecimal digits; null if it is 0.
struct BusId {};
/// The name of an enumerator, null if the name is empty. The enumerators are those up to `Last`.
template <auto Last>
struct Word {};
/// The names of the enumerators whose bits are set, up to `Last`.
template <auto Last>
struct Bits {};
/// One of these words, which are separated by `|`; null, if the value is an empty optional.
struct OneOf {
  std::string_view words;
};
/// The line of a LineRef in its source.
struct Line {};
/// A list of values of the kind `Item`; null, if the list is an empty optional.
template <class Item>
struct Array {
  Item item;
  Layout layout = Layout::line;
  int at_least = 0;  ///< Items.
  bool unique = false;
};
/// A list of pairs of whole numbers.
struct Pairs {};
/// An object of a type that has a table; null, if the value is an empty optional, Boxed or pointer.
struct Object {};
/// A list of objects of a type that has a table.
struct List {
  Layout layout = Layout::block;
};
/// Objects of the type `Row` that the getter makes: it is called with the owner, the context and a function that takes
/// each of them.
template <class Row>
struct Each {
  int at_least = 0;
};
/// An object of further members of the same owner.
template <class Rows>
struct Group {
  Layout layout;
  Rows rows;
};
/// The members of a part of the owner, without an object of their own.
struct Flat {};
/// An object of keys from the log, with values of the kind `Item`.
template <class Item>
struct Map {
  Item item;
};
/// A number that is always the same.
struct Constant {
  int value;
};
/// What the getter writes itself, because it is too much to be copied: a value of the kind `As` and the type `Value`.
/// It is called with the JsonWriter, the owner and the context.
template <class As, class Value>
struct Written {
  As as;
};

inline constexpr Plain plain{};
inline constexpr Known known{};
inline constexpr Reference reference{};
inline constexpr Measured measured{};
inline constexpr TriState tri_state{};
inline constexpr BusId bus_id{};
template <auto Last>
inline constexpr Word<Last> word{};
template <auto Last>
inline constexpr Bits<Last> bits{};
inline constexpr Array<Plain> integers{Plain{0}};
inline constexpr Array<Position> references{};
inline constexpr Object object{};
inline constexpr List objects{};
template <class Row>
inline constexpr Each<Row> each{};
constexpr Plain at_least(int minimum) { return {minimum}; }
constexpr Plain like(std::string_view pattern) { return {no_limit, pattern}; }

/// Whether a key is always there. `added`: in all reports but those of older versions; `sometimes`: only if its value,
/// a pointer, Boxed or optional, is not empty.
enum class Presence : unsigned char { always, added, sometimes };

/// One key. `about`: the description in the schema, Markdown. `get`: a pointer to member, or a function of the owner,
/// which may take the Context as well.
template <class Kind, class Get, Presence When = Presence::always>
struct Member {
  std::string_view key;
  Kind kind;
  std::string_view about;
  Get get;
};

template <class Kind, class Get>
constexpr Member<Kind, Get> member(std::string_view key, Kind kind, std::string_view about, Get get) {
  return {key, kind, about, get};
}
template <class Kind, class Get>
constexpr Member<Kind, Get> member(std::string_view key, Kind kind, Get get) {
  return {key, kind, {}, get};
}
template <class Kind, class Get>
constexpr Member<Kind, Get, Presence::added> added(std::string_view key, Kind kind, std::string_view about, Get get) {
  return {key, kind, about, get};
}
template <class Kind, class Get>
constexpr Member<Kind, Get, Presence::sometimes> sometimes(std::string_view key, Kind kind, std::string_view about,
                                                           Get get) {
  return {key, kind, about, get};
}
template <class Rows>
constexpr auto group(std::string_view key, Layout layout, std::string_view about, Rows rows) {
  return member(key, Group<Rows>{layout, rows}, about, std::identity{});
}
template <class Get>
constexpr auto flat(Get get) {
  return member({}, Flat{}, get);
}

/// The first row of a table: how objects of the type stand in the report, and their definition in the schema.
struct Head {
  std::string_view name;
  Layout layout;
  std::string_view about;
};
constexpr Head in_line(std::string_view name, std::string_view about = {}) { return {name, Layout::line, about}; }
constexpr Head in_block(std::string_view name, std::string_view about = {}) { return {name, Layout::block, about}; }

/// The table of a type, a std::tuple of its Head and its Members; specialised for each type that the report shows.
template <class T>
inline constexpr bool members_of = false;
template <class T>
inline constexpr Head head_of = std::get<Head>(members_of<T>);

}  // namespace nccl_analyze::members
