#pragma once
// The prefix tree of all rows, flattened into arrays of numbers without pointers, so that the build can write it as
// constants and programs spend no time on it at their start.

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
  static constexpr std::uint16_t many = 0x8000;  ///< Bit of a table's entry whose other bits are an index of `lists`.

  /// A substring of `words`.
  struct Text {
    std::uint32_t at = 0;
    std::uint16_t size = 0;
  };
  struct Node {
    Text text;  ///< As Op::text; empty for a choice.
    /// As Op::after. For a choice: the index of its first word in `choices` (`at`) and the number of its words
    /// (`size`).
    Text after;
    Shape shape = Shape::literal;
    bool has_several = false;    ///< It has several children, and `tables` lists them by their first bytes.
    std::uint16_t leaf = none;   ///< Index in `leaves` of the row that ends here; none: no row does.
    std::uint16_t only = none;   ///< The child where there is exactly one.
    std::uint16_t literals = 0;  ///< Number of literal children. Below free text they may share their first bytes.
    std::uint16_t holes = 0;     ///< Number of children that are holes.
    std::uint16_t children = 0;  ///< Index of the first child in `children`: literals, then holes in order of Shape.
    std::uint32_t table = 0;     ///< Index of the first entry in `tables`.
  };
  /// A word of a choice. Words with the same first byte are adjacent.
  struct Choice {
    std::uint64_t value = 0, mask = 0;  ///< The first eight bytes of the word, and which of them it has.
    Text text;
    std::uint16_t others = 0;  ///< Number of later words with the same first byte.
  };
  /// Assigns the hole with number `capture` of a row to member `field` of its event.
  struct Binding {
    std::uint8_t capture = 0, field = 0;
  };
  /// A row with one combination of its optional parts.
  struct Leaf {
    std::uint16_t family = 0, row = 0;  ///< Index of the family, and of the row in it.
    std::uint16_t bindings = 0;         ///< Index of its first binding in `bindings`.
    std::uint8_t bound = 0;             ///< Number of its bindings.
    RowEnd end = RowEnd::words;         ///< The end of this combination.
  };

  std::span<const Node> nodes;              ///< The first is the root.
  std::span<const std::uint16_t> children;  ///< Indices of nodes.
  /// For each node with several children a table of `width` entries: one for each class of bytes and, last, one for the
  /// end of the message. An entry is the child that may begin with such a byte, or none, or `many` and an index of
  /// `lists`.
  std::span<const std::uint16_t> tables;
  std::span<const std::uint16_t> lists;   ///< Lists of nodes; each begins with its length.
  std::span<const std::uint8_t> classes;  ///< The class of each of the 256 bytes.
  std::uint16_t width = 0;                ///< Number of entries of a table.
  std::span<const Choice> choices;
  std::span<const Leaf> leaves;
  std::span<const Binding> bindings;
  std::string_view words;  ///< All literals.
};

/// A RowTree that owns its arrays.
struct CompiledRows {
  std::vector<RowTree::Node> nodes;
  std::vector<std::uint16_t> children, tables, lists;
  std::array<std::uint8_t, 256> classes{};
  std::uint16_t width = 0;
  std::vector<RowTree::Choice> choices;
  std::vector<RowTree::Leaf> leaves;
  std::vector<RowTree::Binding> bindings;
  std::string words;
  std::vector<std::string> errors;  ///< Why rows were left out.

  /// A tree of views into this object.
  RowTree tree() const;
};

/// Builds the tree of all rows of `families`.
CompiledRows compile_rows(std::span<const Family> families);

/// The tree of all_families(), which write_row_tree.cc generates when the library is built.
const RowTree& standard_row_tree();

}  // namespace nccl_analyze
