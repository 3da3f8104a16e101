#pragma once
// Matches messages against all rows at once by walking the prefix tree of the rows.

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
  /// `tree` must be the tree of `families`. Both must outlive the matcher.
  Matcher(const RowTree& tree, std::span<const Family> families);

  /// Returns the row that matches the whole message and stores its event in `event`. If no row matches, returns null
  /// and stores Unrecognized. Row::end of the result depends on which optional parts the message has. Allocates no
  /// memory. Tries a bounded number of rows, each in time linear in the message.
  const Row* match(std::string_view message, Event& event) const;

  /// Returns the compiled row (hot_row.h) that matches the whole message, and stores its event in `event`. If no
  /// compiled row matches, returns null, and the value of `event` is unspecified.
  const Row* match_hot(std::string_view message, Event& event) const;

  /// The parts of a message that match holes for words and free text. The rest of the message is literal text of the
  /// row, numbers and words of choices.
  struct FreeText {
    std::array<std::string_view, max_captures> parts;
    std::size_t count = 0;
  };
  /// Returns the row that matches the whole message, and the free text in it; null if no row matches.
  const Row* find_free_text(std::string_view message, FreeText& found) const;

  /// Whether `message` may be cut: it is a proper prefix of a message that some row matches. A message that ends within
  /// free text is accepted only if it contains many bytes of the row's literals and at most one word of the free text,
  /// because almost any message would match otherwise.
  bool is_beginning(std::string_view message) const;

  /// The size of the longest part of `message`, from its start, for which is_beginning() holds; 0 if there is none.
  std::size_t size_of_beginning(std::string_view message) const;

  /// Returns the literal text that is missing at the end of a cut message; empty if it is unknown. It is known if
  /// exactly one row can complete the message, and if the message ends at the end of a sentence, with or without the
  /// period.
  std::string_view words_missing(std::string_view message) const;

 private:
  using Index = std::uint16_t;

  struct State {
    const char* end;  ///< The end of the message.
    std::array<Capture, max_captures> captures;
    std::uint32_t texts = 0;  ///< Bit i: capture i is a word or free text. Bits from the next capture on are stale.
    void set_text(std::size_t capture, std::string_view text) {
      captures[capture].set_text(text);
      texts = (texts & ((1U << capture) - 1)) | 1U << capture;
    }
  };

  /// The words that complete a cut message. `count` is the number of rows that can complete it; `words` are those of
  /// the last of these rows.
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

  const RowTree::Leaf* find_leaf(std::string_view message, State& state) const;
  // The follow…() functions match the part of the message from `at` against the tree below a node. The first `captures`
  // captures have been set.
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

  // The functions below are in matcher_beginning.cc. `rest` is the part of the message after the node; `literal_bytes`
  // is the number of bytes before `rest` that literals matched.
  bool ends_within(Index node, std::string_view rest, std::size_t literal_bytes) const;
  bool ends_within_text(const RowTree::Node& node, std::string_view rest, std::size_t literal_bytes) const;
  void add_completions(Index index, std::string_view rest, std::size_t literal_bytes, Completion& found) const;
  bool ends_within_value(Index index, std::string_view rest, std::size_t literal_bytes) const;

  RowTree tree_;
  std::span<const Family> families_;
  std::array<std::vector<const Row*>, 256> hot_;  ///< Compiled rows, indexed by the first byte of their messages.
  std::vector<const Row*> hot_operations_;  ///< Compiled rows that start with a hole, as for `AllReduce: opCount …`.
  /// Copies of rows, for leaves whose RowEnd differs from the row's.
  std::map<const RowTree::Leaf*, Row> rows_of_other_end_;
};

/// Returns the matcher of all_families(), shared by all parsers.
const Matcher& standard_matcher();

}  // namespace nccl_analyze
