#pragma once
/// Messages that a row of the message table matches: its own examples, or messages composed from its wording.

#include <string>
#include <string_view>
#include <vector>

#include "messages/row_syntax.h"

namespace nccl_analyze {

/// Returns text that one step of a row matches, such as `3` for a number.
inline std::string filling_of(const Op& op) {
  switch (op.shape) {
    case Shape::literal:
    case Shape::flag:
      return std::string(op.text);
    case Shape::choice:
      return std::string(op.text.substr(0, op.text.find('|')));
    case Shape::optional_int:
      return std::string(op.text) + "3" + std::string(op.after);
    case Shape::int32:
    case Shape::int64:
      return "3";
    case Shape::real:
      return "1.5";
    case Shape::hex:
      return "0x7f1e";
    case Shape::blank:
      return " ";
    case Shape::ranks:
      return " 0 1";
    case Shape::trees:
      return "[0] 1/-1/-1->0->-1";
    case Shape::word:
    case Shape::text:
      return "eth0";
  }
  return {};
}

/// Returns one message for each combination of the optional parts of the row's wording.
inline std::vector<std::string> composed_of(const Row& row) {
  std::vector<std::string> examples;
  const ParsedRow parsed = parse_row(row.wording, row.kind->fields);
  for (unsigned chosen = 0; chosen < 1U << parsed.parts; ++chosen) {
    std::string& example = examples.emplace_back();
    const ParsedRow steps = with_parts(parsed, chosen);
    for (const Op& op : steps.steps()) example += filling_of(op);
  }
  return examples;
}

/// Returns the examples of the row, or composed messages if it has none.
inline std::vector<std::string> examples_of(const Row& row) {
  if (row.example.empty()) return composed_of(row);
  std::vector<std::string> examples;
  for (std::string_view rest = row.example;;) {
    const std::size_t end = rest.find('\n');
    examples.emplace_back(rest.substr(0, end));
    if (end == std::string_view::npos) return examples;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace nccl_analyze
