#pragma once
// Defines a row of the message table: a template of a message with typed holes (placeholders), the releases that print
// the message, examples, and the type of the resulting event. CONTRIBUTING.md has the recipe for a new row. Messages
// from which no fact is taken are in known_formats.tsv instead.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "nccl_analyze/event.h"

namespace nccl_analyze {

// The syntax of a template: literal text with holes for values.
//   {channel}            the value of a member of the event, whose C++ type determines what matches
//   {words}              free text, into a string_view; ends at the first occurrence of the whole next literal
//   {host:word}          text without blanks, into a string_view; ends at the first byte of the next literal
//   {indent:blank}       blanks, possibly none, into a string_view
//   {level:INFO|WARN}    one of these words, into a string_view
//   {read?/read}         an optional literal, into a bool
//   {proxy_rank?(#)}     an optional number between literals, into an int
//   {:int} {:hex} {:real} {:word} {:text}   a value that is matched but not stored
//   {( nvmlDev {dev})}   an optional part, which only some releases print
//   {{                   a literal brace

/// What a hole matches. If several holes are possible, the matcher tries them in this order, from narrow to wide.
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
  literal  ///< Not a hole, but literal text.
};

/// The value that a hole matched. Not initialised, because the matcher creates max_captures of them and uses few.
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

/// Describes a type of event, for code that handles events of any type.
struct EventKind {
  std::string_view name;
  std::span<const Field> fields;
  void* (*emplace)(Event& event);
  /// Stores the row's wording in a Noted or Warned; null for other events.
  void (*set_row)(void* event, const Row& row);
};

/// What a template ends with: literal words, a value, a list or free text. A message that does not end with literal
/// words may be cut, so the parser looks for its rest on the next line.
enum class RowEnd : std::uint8_t { words, value, list, text };

struct Row {
  std::string_view wording;  ///< The template.
  std::string_view since;    ///< First release that prints the message; empty: not known.
  std::string_view until;    ///< Last release that prints the message; empty: the newest known release.
  /// Messages from real logs, one per line: one for each combination of optional parts that occurs. Empty for known
  /// formats, for which tests generate examples.
  std::string_view example;
  const EventKind* kind;
  RowEnd end = RowEnd::words;   ///< The end of a message without optional parts.
  std::string_view topic = {};  ///< Warned::topic, for warnings of known_formats.tsv; else empty.
  bool of_init = false;         ///< Noted::of_init
  /// The compiled row (hot_row.h): a function that returns whether the row matches the whole message. Null if the row
  /// is not compiled.
  bool (*hot)(std::string_view message, Event& event) = nullptr;
};

namespace detail {

/// Returns the shape of a hole that names a member of this type and no shape.
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
  if constexpr (requires(E made) { made.of_init; }) static_cast<E*>(event)->of_init = row.of_init;
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

/// Returns what a message with this wording ends with if it has no optional parts.
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

/// In known_formats.tsv the topic of notes that NCCL prints for the subsystem INIT alone; that of others is `none`.
inline constexpr std::string_view init_topic = "init";

/// Creates a row of known_formats.tsv. The generator passes `end`, because computing it for all rows would exceed
/// Clang's limit for steps of a constant expression.
template <class E>
constexpr Row known_row(std::string_view wording, std::string_view since, std::string_view until,
                        std::string_view topic, RowEnd end) {
  Row made{wording, since, until, {}, &detail::kind_of<E>, end};
  made.topic = topic == init_topic ? "none" : topic;
  made.of_init = topic == init_topic;
  return made;
}

/// The rows of one subject, which are defined in one file of facts/.
struct Family {
  std::string_view name;
  std::span<const Row> rows;
};

/// Returns the families whose rows yield facts, in the order of the documentation.
std::span<const Family> fact_families();

/// Returns the fact families, followed by the family of known formats.
std::span<const Family> all_families();

}  // namespace nccl_analyze
