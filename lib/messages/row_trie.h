#pragma once
// The prefix tree of all rows in a form to which rows can be added; compile_rows.cc flattens it into a RowTree.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "messages/row.h"
#include "messages/row_syntax.h"
#include "messages/row_tree.h"

namespace nccl_analyze {

inline constexpr std::size_t byte_values = 256;

/// The bytes that a text may start with, and whether the text may be empty.
struct FirstBytes {
  std::bitset<byte_values> set;
  bool may_be_empty = false;
};

/// A prefix tree: rows with a common prefix share the prefix's nodes. The literal children of a node differ in their
/// first bytes, except below free text, where the matcher searches for whole literals.
class RowTrie {
 public:
  struct Node {
    Op op;
    std::uint16_t leaf = RowTree::none;          ///< Index in leaves() of the row that ends here, or none.
    std::vector<std::uint32_t> literals, holes;  ///< Children; holes are in order of Shape.
    FirstBytes first;                            ///< The first bytes of text that matches from this node on.
  };

  explicit RowTrie(std::span<const Family> families);

  const std::vector<Node>& nodes() const { return nodes_; }  ///< The first node is the root.
  const std::vector<RowTree::Leaf>& leaves() const { return leaves_; }
  const std::vector<RowTree::Binding>& bindings() const { return bindings_; }
  const std::vector<std::string>& errors() const { return errors_; }  ///< Rows that were omitted, and why.

 private:
  void add(const Row& row, std::size_t family, std::size_t number);
  ParsedRow merge_literals(const ParsedRow& row);
  bool insert(const ParsedRow& parsed, std::size_t family, std::size_t row);
  std::uint32_t insert_literal(std::uint32_t parent, std::string_view text);
  std::uint32_t add_node(std::uint32_t parent, const Op& op);
  void split(std::uint32_t node, std::size_t size);
  void find_first_bytes(std::uint32_t index);

  std::deque<std::string> merged_literals_;  ///< A deque, because nodes have views of the strings, which must not move.
  std::vector<Node> nodes_;
  std::vector<RowTree::Leaf> leaves_;
  std::vector<RowTree::Binding> bindings_;
  std::vector<std::string> errors_;
};

}  // namespace nccl_analyze
