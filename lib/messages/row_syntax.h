#pragma once
// Parses the template of a row (row.h describes the syntax). The functions are constexpr because hot_row.h parses
// templates at compile time.

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "messages/row.h"

namespace nccl_analyze {

inline constexpr std::size_t max_captures = 24;
inline constexpr std::uint8_t max_parts = 4;

/// A step of a parsed template: a literal or a hole.
struct Op {
  static constexpr std::size_t no_field = static_cast<std::size_t>(-1);
  Shape shape = Shape::literal;
  /// The text of a literal or flag, the alternatives `A|B` of a choice, or the literal before an optional number.
  std::string_view text = {};
  std::string_view after = {};  ///< The literal after an optional number.
  /// Index of the member that receives the value of a hole; no_field: the value is ignored.
  std::size_t field = no_field;
  std::uint8_t part = 0;  ///< Number of the optional part that contains this step, from 1; 0: none.
  /// Whether both steps match the same texts, regardless of their members.
  constexpr bool same_step(const Op& other) const {
    return shape == other.shape && text == other.text && after == other.after;
  }
};

/// A parsed template: the first `count` elements of `ops`.
struct ParsedRow {
  std::array<Op, 3 * max_captures> ops = {};
  std::size_t count = 0;
  std::size_t captures = 0;       ///< Number of holes.
  std::uint8_t parts = 0;         ///< Number of optional parts.
  std::string_view problem = {};  ///< Why the template is invalid; empty if it is valid.
  constexpr std::span<const Op> steps() const { return {ops.data(), count}; }
};

namespace detail {

struct NamedShape {
  std::string_view name;
  Shape shape;
};
inline constexpr NamedShape named_shapes[] = {{"int", Shape::int64},   {"hex", Shape::hex},    {"real", Shape::real},
                                              {"word", Shape::word},   {"text", Shape::text},  {"blank", Shape::blank},
                                              {"ranks", Shape::ranks}, {"trees", Shape::trees}};

/// Parses a hole; `text` is the text between its braces.
constexpr Op parse_hole(std::string_view text, std::span<const Field> fields, ParsedRow& parsed) {
  const std::size_t separator = text.find_first_of(":?");
  const std::string_view name = text.substr(0, separator);
  const std::string_view kind = separator == std::string_view::npos ? "" : text.substr(separator + 1);
  Op op{.shape = Shape::text};
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].name == name) op.field = i;
  if (op.field != Op::no_field)
    op.shape = shape_of(fields[op.field].type);
  else if (!name.empty())
    parsed.problem = "no such member";
  if (separator == std::string_view::npos) return op;
  if (text[separator] == '?') {
    const std::size_t number = kind.find('#');
    op.shape = number == std::string_view::npos ? Shape::flag : Shape::optional_int;
    op.text = kind.substr(0, number);
    if (number != std::string_view::npos) op.after = kind.substr(number + 1);
    return op;
  }
  op.shape = Shape::choice;
  for (const NamedShape& entry : named_shapes)
    if (entry.name == kind) op.shape = entry.shape;
  if (op.shape == Shape::choice) op.text = kind;
  return op;
}

}  // namespace detail

/// Whether a hole of this shape ends where the next literal starts.
constexpr bool ends_at_next_literal(Shape shape) { return shape == Shape::text || shape == Shape::word; }

/// Whether a hole that ends at the next literal is followed by another hole instead of a literal.
constexpr bool lacks_literal(const ParsedRow& row) {
  for (std::size_t i = 1; i < row.count; ++i)
    if (ends_at_next_literal(row.ops[i - 1].shape) && row.ops[i].shape != Shape::literal) return true;
  return false;
}

namespace detail {

/// Removes the literal at the start of `rest` and returns it. Inside an optional part, `)}` also ends a literal.
constexpr std::string_view read_literal(std::string_view& rest, bool inside_part) {
  const bool brace = rest.front() == '{';  // `{{` is a literal brace
  const std::size_t end = std::min(rest.find('{'), inside_part ? rest.find(")}") : rest.size());
  const std::string_view literal = rest.substr(0, brace ? 1 : end);
  rest.remove_prefix(brace ? 2 : literal.size());
  return literal;
}

}  // namespace detail

/// Parses a template. The views of the result refer to `wording`.
constexpr ParsedRow parse_row(std::string_view wording, std::span<const Field> fields) {
  ParsedRow parsed;
  if (wording.empty()) parsed.problem = "empty template";
  std::uint8_t part = 0;
  for (std::string_view rest = wording; !rest.empty() && parsed.problem.empty();) {
    if (rest.starts_with("{(")) {
      if (part != 0 || parsed.parts == max_parts) parsed.problem = "an optional part too many, or inside of another";
      part = ++parsed.parts;
      rest.remove_prefix(2);
      continue;
    }
    if (part != 0 && rest.starts_with(")}")) {
      part = 0;
      rest.remove_prefix(2);
      continue;
    }
    Op op;
    if (rest.front() != '{' || rest.starts_with("{{")) {
      op.text = detail::read_literal(rest, part != 0);
    } else {
      const std::size_t close = rest.find('}');
      if (close == std::string_view::npos) {
        parsed.problem = "unclosed hole";
        break;
      }
      op = detail::parse_hole(rest.substr(1, close - 1), fields, parsed);
      if (++parsed.captures > max_captures) parsed.problem = "too many holes";
      rest.remove_prefix(close + 1);
    }
    if (parsed.count == parsed.ops.size()) {
      parsed.problem = "too many parts";
      break;
    }
    op.part = part;
    parsed.ops[parsed.count++] = op;
  }
  if (part != 0) parsed.problem = "an optional part without an end";
  if (parsed.parts == 0 && lacks_literal(parsed)) parsed.problem = "a hole that ends at the next literal needs one";
  return parsed;
}

/// Returns what messages of the row end with. `row` must have no optional parts, or be a result of with_parts().
constexpr RowEnd end_of(const ParsedRow& row) {
  switch (row.ops[row.count - 1].shape) {
    case Shape::literal:
      return RowEnd::words;
    case Shape::ranks:
    case Shape::trees:
      return RowEnd::list;
    case Shape::word:
    case Shape::text:
      return RowEnd::text;
    default:
      return RowEnd::value;
  }
}

/// Returns the row with those optional parts i for which bit i of `chosen` is set, and without the others. The result
/// may have adjacent literals.
constexpr ParsedRow with_parts(const ParsedRow& row, unsigned chosen) {
  ParsedRow made;
  made.problem = row.problem;
  for (const Op& op : row.steps()) {
    if (op.part != 0 && (chosen >> (op.part - 1U) & 1U) == 0) continue;
    if (op.shape != Shape::literal) ++made.captures;
    made.ops[made.count++] = op;
  }
  if (lacks_literal(made)) made.problem = "a hole that ends at the next literal needs one";
  return made;
}

}  // namespace nccl_analyze
