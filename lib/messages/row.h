#pragma once
// What a row of the message table is: NCCL's wording with named, typed holes, its versions, an example and the event
// that it makes. See row_syntax below; CONTRIBUTING.md has the recipe. Wordings of which nothing is taken are no code:
// they stand in known_formats.tsv.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "nccl_analyze/event.h"

namespace nccl_analyze {

// row_syntax: a template is literal text with holes.
//   {channel}            a member of the event; its C++ type says what may stand there
//   {host:word}          text without blanks; ends at the first byte of the next literal. Any other text ends where
//                        the whole next literal first stands
//   {indent:blank}       blanks only, maybe none
//   {level:INFO|WARN}    one of these words, into a string_view
//   {read?/read}         optional literal, into a bool
//   {proxy_rank?(#)}     optional number between literals, into an int
//   {:int} {:hex} {:real} {:word} {:text}   read and thrown away
//   {( nvmlDev {dev})}   a part that may be missing: what versions added to a message
//   {{                   a literal brace

enum class Shape : std::uint8_t {
  choice,
  flag,
  optional_int,
  int32,
  int64,
  real,
  hex,
  blank,
  ranks,
  trees,
  word,
  text,
  literal  ///< Not of a hole: a row's own words.
};

/// What a hole took from the line. Left uninitialised on purpose: many are reserved, few are used.
struct Capture {
  const char* begin;
  std::size_t size;
  union {
    std::int64_t integer;
    std::uint64_t hex;
    double real;
    bool flag;
  };
  void set_text(std::string_view text) {
    begin = text.data();
    size = text.size();
  }
  std::string_view text() const { return {begin, size}; }
};

struct Row;

/// A type of event, without its C++ type.
struct EventKind {
  std::string_view name;
  std::span<const Field> fields;
  void* (*emplace)(Event& event);
  void (*set_row)(void* event, const Row& row);  ///< Noted and Warned name their row; else nullptr.
};

/// What a row's template ends in. A line that was cut where a value, a list or free text stood may still be read.
enum class RowEnd : std::uint8_t { words, value, list, text };

struct Row {
  std::string_view wording;  ///< The template.
  std::string_view since;    ///< First release that prints it; empty: not known.
  std::string_view until;    ///< Last release that prints it; empty: still printed.
  /// Lines of logs, one for each form that versions gave it; empty for known formats, whose examples tests compose.
  std::string_view example;
  const EventKind* kind;
  RowEnd end = RowEnd::words;                                     ///< Without its optional parts.
  std::string_view topic = {};                                    ///< Of a known warning: what Warned::topic says.
  bool (*hot)(std::string_view message, Event& event) = nullptr;  ///< Reads the whole message; see hot_row.h.
};

namespace detail {

/// What may stand in a hole that only names a member of this type.
constexpr Shape shape_of(FieldType type) {
  switch (type) {
    case FieldType::int32:
      return Shape::int32;
    case FieldType::int64:
      return Shape::int64;
    case FieldType::real:
      return Shape::real;
    case FieldType::flag:
      return Shape::flag;
    case FieldType::hex:
      return Shape::hex;
    case FieldType::ranks:
      return Shape::ranks;
    case FieldType::trees:
      return Shape::trees;
    case FieldType::text:
    case FieldType::chains:
    case FieldType::nics:
    case FieldType::interfaces:
    case FieldType::nodes:
    case FieldType::paths:
    case FieldType::parts:
      return Shape::text;
  }
  return Shape::text;
}

inline void set_member(int& member, const Capture& capture) { member = static_cast<int>(capture.integer); }
inline void set_member(std::int64_t& member, const Capture& capture) { member = capture.integer; }
inline void set_member(double& member, const Capture& capture) { member = capture.real; }
inline void set_member(bool& member, const Capture& capture) { member = capture.flag; }
inline void set_member(Hex& member, const Capture& capture) { member = Hex{capture.hex}; }
template <class Text>
void set_member(Text& member, const Capture& capture) {
  member = Text{capture.text()};
}

template <class E>
void set_row(void* event, const Row& row) {
  static_cast<E*>(event)->wording = row.wording;
  if constexpr (requires(E made) { made.topic; }) static_cast<E*>(event)->topic = row.topic;
}

template <class E>
constexpr auto row_setter() -> void (*)(void*, const Row&) {
  if constexpr (requires(E event) { event.wording; })
    return &set_row<E>;
  else
    return nullptr;
}

template <class E>
inline constexpr EventKind kind_of{E::name, fields_of<E>, [](Event& event) -> void* { return &event.emplace<E>(); },
                                   row_setter<E>()};

constexpr RowEnd end_of(std::string_view wording, std::span<const Field> fields) {
  if (!wording.ends_with('}')) return RowEnd::words;
  const std::size_t open = wording.rfind('{'), part = wording.rfind("{(");
  const bool in_hole = wording.find('}', open) + 1 == wording.size() && open != part;
  if (!in_hole && part != std::string_view::npos) return end_of(wording.substr(0, part), fields);
  if (!in_hole) return RowEnd::words;
  const std::string_view hole = wording.substr(open + 1, wording.size() - open - 2);
  const std::size_t separator = hole.find_first_of(":?");
  if (separator != std::string_view::npos) {
    const std::string_view kind = hole.substr(separator + 1);
    if (hole[separator] == '?') return RowEnd::value;
    if (kind == "ranks" || kind == "trees") return RowEnd::list;
    return kind == "word" || kind == "text" ? RowEnd::text : RowEnd::value;
  }
  for (const Field& field : fields) {
    if (field.name != hole) continue;
    const Shape shape = shape_of(field.type);
    if (shape == Shape::ranks || shape == Shape::trees) return RowEnd::list;
    return shape == Shape::text ? RowEnd::text : RowEnd::value;
  }
  return RowEnd::text;
}

}  // namespace detail

template <class E>
constexpr Row row(std::string_view wording, std::string_view since, std::string_view until, std::string_view example) {
  return Row{wording, since, until, example, &detail::kind_of<E>, detail::end_of(wording, fields_of<E>)};
}

/// A row of known_formats.tsv. Its end is given, for to work it out for all of them is too much for a constant of
/// clang.
template <class E>
constexpr Row known_row(std::string_view wording, std::string_view since, std::string_view until,
                        std::string_view topic, RowEnd end) {
  Row made{wording, since, until, {}, &detail::kind_of<E>, end};
  made.topic = topic;
  return made;
}

/// A file of rows about one subject.
struct Family {
  std::string_view name;
  std::span<const Row> rows;
};

/// The families whose rows make facts, in the order of the documentation.
std::span<const Family> fact_families();

/// These and, last, the known formats.
std::span<const Family> all_families();

}  // namespace nccl_analyze
