#pragma once
// All rows as one prefix tree in plain numbers: no pointers, so that it is made when the library is built and costs a
// program nothing at its start.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "messages/row.h"

namespace nccl_analyze {

struct RowTree {
  static constexpr std::uint16_t none = 0xffff;
  static constexpr std::uint16_t many = 0x8000;  ///< Of an entry of a table: the rest of it is a place in `lists`.

  /// A part of `words`.
  struct Text {
    std::uint32_t at = 0;
    std::uint16_t size = 0;
  };
  struct Node {
    Text text;  ///< Literal; what stands before an optional number; a flag's literal.
    /// What stands after an optional number; of a choice its place in `choices` and how many there are.
    Text after;
    Shape shape = Shape::literal;
    bool has_several = false;  ///< Children, so that a table tells which of them can begin with a byte.
    std::uint16_t leaf = none;
    std::uint16_t only = none;   ///< The child where there is just one.
    std::uint16_t literals = 0;  ///< How many children begin with a literal; below text these may begin alike,
    std::uint16_t holes = 0;     ///< elsewhere their first bytes differ.
    std::uint16_t children = 0;  ///< Into `children`: literals, then holes, narrow before wide.
    std::uint32_t table = 0;     ///< Into `tables`.
  };
  /// One word of a choice; the first eight bytes once more as a number. Words of one first byte stand together.
  struct Choice {
    std::uint64_t value = 0, mask = 0;
    Text text;
    std::uint16_t others = 0;  ///< How many more words have its first byte.
  };
  /// A capture by position on the path, and the member of the event that it fills.
  struct Binding {
    std::uint8_t capture = 0, field = 0;
  };
  struct Leaf {
    std::uint16_t family = 0, row = 0;
    std::uint16_t bindings = 0;
    std::uint8_t bound = 0;
    RowEnd end = RowEnd::words;  ///< With the optional parts on the way to it.
  };

  std::span<const Node> nodes;  ///< The first is the root.
  std::span<const std::uint16_t> children;
  /// What may begin with a byte below a node with several children: a child, none, or a list. A table has an entry for
  /// each class of bytes and, last, one for the end of the message.
  std::span<const std::uint16_t> tables;
  std::span<const std::uint16_t> lists;   ///< Each begins with its length.
  std::span<const std::uint8_t> classes;  ///< Of the 256 bytes: those that no table tells apart.
  std::uint16_t width = 0;                ///< Entries of a table.
  std::span<const Choice> choices;
  std::span<const Leaf> leaves;
  std::span<const Binding> bindings;
  std::string_view words;
};

/// A tree and what it consists of.
struct CompiledRows {
  std::vector<RowTree::Node> nodes;
  std::vector<std::uint16_t> children, tables, lists;
  std::array<std::uint8_t, 256> classes{};
  std::uint16_t width = 0;
  std::vector<RowTree::Choice> choices;
  std::vector<RowTree::Leaf> leaves;
  std::vector<RowTree::Binding> bindings;
  std::string words;
  std::vector<std::string> errors;  ///< Rows that cannot be compiled; they are left out.

  /// Views into this object.
  RowTree tree() const;
};

CompiledRows compile_rows(std::span<const Family> families);

/// The tree of all_families(): written by write_row_tree.cc when the library is built.
const RowTree& standard_row_tree();

}  // namespace nccl_analyze
