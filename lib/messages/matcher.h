#pragma once
// Matches messages against all rows at once, by walking their prefix tree.

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

/// Immutable after construction, so that threads may share it.
class Matcher {
 public:
  /// Both arguments must outlive the matcher. `tree` is the tree of these families.
  Matcher(const RowTree& tree, std::span<const Family> families);

  /// The row that matches the whole message, and its event in `event`; null and Unrecognized when none does. Row::end
  /// of the result is that of the optional parts which the message has. Allocates nothing. Time is linear in the
  /// message for each of a bounded number of rows.
  const Row* match(std::string_view message, Event& event) const;

  /// As match(), but only for compiled rows (hot_row.h). When it returns null, `event` holds any value.
  const Row* match_hot(std::string_view message, Event& event) const;

  /// Whether `message` may be cut: it is a proper beginning of what some row matches. To limit false positives, a
  /// message that ends within free text counts only if it has many of the row's literals and at most one word of the
  /// text.
  bool is_beginning(std::string_view message) const;

  /// The literal text that `message` lacks at its end, if exactly one row begins with it and it ends where a sentence
  /// of that row does, with or without the period. Else empty.
  std::string_view words_missing(std::string_view message) const;

 private:
  using Index = std::uint16_t;

  struct State {
    const char* end;  ///< The end of the message.
    std::array<Capture, max_captures> captures;
  };

  /// The words that complete a cut message, of the last of `count` rows that do.
  struct Completion {
    std::string_view words;
    int count = 0;
    void add(std::string_view literal, std::size_t size);
  };

  const Row& row_of(const RowTree::Leaf& leaf) const {
    const Row& row = families_[leaf.family].rows[leaf.row];
    return row.end == leaf.end ? row : rows_of_other_end_.at(&leaf);
  }
  std::string_view words(RowTree::Text text) const { return tree_.words.substr(text.at, text.size); }

  // Each follow…() matches the message from `at` on below a node, where `captures` captures are filled already.
  Index child_at(const RowTree::Node& node, const char* at, const char* end) const;
  const RowTree::Leaf* follow(Index index, const char* at, std::size_t captures, State& state) const;
  const RowTree::Leaf* follow_each(Index list, const char* at, std::size_t captures, State& state) const;
  const RowTree::Leaf* follow_word(const RowTree::Node& node, const char* at, std::size_t captures, State& state) const;
  const RowTree::Leaf* follow_text(const RowTree::Node& node, const char* at, std::size_t captures, State& state) const;
  const char* scan_value(const RowTree::Node& node, const char* at, const char* end, Capture& capture) const;
  const char* scan_choice(const RowTree::Node& node, const char* at, const char* end, Capture& capture) const;
  std::span<const Index> literals_of(const RowTree::Node& node) const {
    return tree_.children.subspan(node.children, node.literals);
  }
  std::span<const Index> holes_of(const RowTree::Node& node) const {
    return tree_.children.subspan(node.children + node.literals, node.holes);
  }

  // The functions of matcher_beginning.cc. `rest` is the rest of the message behind the node, `literal_bytes` the
  // number of bytes before it that literals matched.
  bool ends_within(Index node, std::string_view rest, std::size_t literal_bytes) const;
  bool ends_within_text(const RowTree::Node& node, std::string_view rest, std::size_t literal_bytes) const;
  void add_completions(Index index, std::string_view rest, std::size_t literal_bytes, Completion& found) const;
  bool ends_within_value(Index index, std::string_view rest, std::size_t literal_bytes) const;

  RowTree tree_;
  std::span<const Family> families_;
  std::array<std::vector<const Row*>, 256> hot_;  ///< Compiled rows by the first byte of their messages.
  std::vector<const Row*> hot_operations_;        ///< Compiled rows that begin with a hole: `AllReduce: opCount …`.
  std::map<const RowTree::Leaf*, Row> rows_of_other_end_;  ///< Copies of rows, for leaves with another end.
};

/// The matcher of all_families(), shared by all parsers.
const Matcher& standard_matcher();

}  // namespace nccl_analyze
