#pragma once
/// A line that a row reads: its own example, or one composed of the wording.

#include <string>

#include "messages/row_syntax.h"

namespace nccl_analyze {

/// What may stand in a hole.
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

inline std::string example_of(const Row& row) {
  if (!row.example.empty()) return std::string(row.example);
  std::string example;
  const ParsedRow parsed = parse_row(row.wording, row.kind->fields);
  for (const Op& op : parsed.steps()) example += filling_of(op);
  return example;
}

}  // namespace nccl_analyze
