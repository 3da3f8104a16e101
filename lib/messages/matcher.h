#pragma once
// Recognises messages: walks the tree of all rows. Immutable after construction.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "messages/row.h"
#include "messages/row_syntax.h"
#include "messages/row_tree.h"

namespace nccl_analyze {

class Matcher {
 public:
  /// Both must outlive the matcher; the tree must have been made of these families.
  Matcher(const RowTree& tree, std::span<const Family> families);

  /// Recognises a whole message and fills `event`; Unrecognized when no row fits. Where optional parts make the message
  /// end in something else than the row does, it is a copy of the row with that end. Time is linear in the message for
  /// each of a bounded number of rows; nothing is allocated.
  const Row* match(std::string_view message, Event& event) const;

  /// The same for the rows that are compiled (hot_row.h), and for no others: nullptr leaves the event undefined.
  const Row* match_hot(std::string_view message, Event& event) const;

  /// Whether `message` is what a row prints, cut short: it ends inside the row's words or a value. Free text
  /// that is cut can hardly be told from other words: its first word counts, after many words of the row.
  bool is_beginning(std::string_view message) const;

  /// What the only row lacks that `message` is the beginning of, if it ends where a sentence of the row does, its last
  /// dot aside. Empty where there is no such row, or several.
  std::string_view words_missing(std::string_view message) const;

 private:
  using Index = std::uint16_t;

  struct State {
    const char* end;
    std::array<Capture, max_captures> captures;
  };

  /// What rows go on with behind a message, and how many of them.
  struct Completion {
    std::string_view words;
    int count = 0;
    void add(std::string_view literal, std::size_t size);
  };

  const Row& row_of(const RowTree::Leaf& leaf) const {
    const Row& row = families_[leaf.family].rows[leaf.row];
    return row.end == leaf.end ? row : forms_.at(&leaf);
  }
  std::string_view words(RowTree::Text text) const { return tree_.words.substr(text.at, text.size); }
  Index child_at(const RowTree::Node& node, const char* at, const char* end) const;
  const RowTree::Leaf* follow(Index index, const char* at, std::size_t captures, State& state) const;
  const RowTree::Leaf* follow_each(Index list, const char* at, std::size_t captures, State& state) const;
  const RowTree::Leaf* follow_word(const RowTree::Node& node, const char* at, std::size_t captures, State& state) const;
  const RowTree::Leaf* follow_text(const RowTree::Node& node, const char* at, std::size_t captures, State& state) const;
  const RowTree::Leaf* leaf_of(const RowTree::Node& node) const {
    return node.leaf == RowTree::none ? nullptr : &tree_.leaves[node.leaf];
  }
  const char* scan_value(const RowTree::Node& node, const char* at, const char* end, Capture& capture) const;
  const char* scan_choice(const RowTree::Node& node, const char* at, const char* end, Capture& capture) const;
  std::span<const Index> literals_of(const RowTree::Node& node) const {
    return tree_.children.subspan(node.children, node.literals);
  }
  std::span<const Index> holes_of(const RowTree::Node& node) const {
    return tree_.children.subspan(node.children + node.literals, node.holes);
  }
  bool ends_within(Index node, std::string_view rest, std::size_t literal_bytes) const;
  bool ends_within_text(const RowTree::Node& node, std::string_view rest, std::size_t literal_bytes) const;
  void add_completions(Index index, std::string_view rest, std::size_t literal_bytes, Completion& found) const;
  bool ends_within_value(Index index, std::string_view rest, std::size_t literal_bytes) const;

  RowTree tree_;
  std::span<const Family> families_;
  std::array<std::vector<const Row*>, 256> hot_;  ///< By the first byte of a message.
  /// Those that begin with the name of an operation and a colon: `AllReduce: opCount …`.
  std::vector<const Row*> hot_operations_;
  std::map<const RowTree::Leaf*, Row> forms_;  ///< Rows with another end, by the leaf that has it.
};

/// The matcher of all_families(), shared by all parsers.
const Matcher& standard_matcher();

}  // namespace nccl_analyze
