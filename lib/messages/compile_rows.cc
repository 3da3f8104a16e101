// Flattens the prefix tree of all rows (RowTrie) into the arrays of a RowTree.

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "messages/row.h"
#include "messages/row_syntax.h"
#include "messages/row_tree.h"
#include "messages/row_trie.h"

namespace nccl_analyze {

namespace {

/// Returns the words of a choice in the order of RowTree::choices.
std::vector<std::string_view> ordered_words(std::string_view choice) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t bar = choice.find('|');
    words.push_back(choice.substr(0, bar));
    if (bar == std::string_view::npos) break;
    choice.remove_prefix(bar + 1);
  }
  // The first word that matches is chosen, so words with the same first byte must keep their order. The empty word
  // always matches and must be last.
  std::stable_sort(words.begin(), words.end(), [](std::string_view a, std::string_view b) {
    return !a.empty() && (b.empty() || a.front() < b.front());
  });
  return words;
}

class Flattener {
 public:
  explicit Flattener(const RowTrie& trie) : trie_(trie) {}

  CompiledRows run() {
    made_.leaves = trie_.leaves();
    made_.bindings = trie_.bindings();
    made_.errors = trie_.errors();
    for (const RowTrie::Node& node : trie_.nodes()) flatten(node);
    compress_tables();
    if (made_.nodes.size() >= RowTree::many || made_.lists.size() >= RowTree::many ||
        made_.leaves.size() >= RowTree::none || made_.bindings.size() >= RowTree::none)
      made_.errors.emplace_back("more rows than the tree's 15-bit numbers can name");
    return std::move(made_);
  }

 private:
  /// The table of a node before compression: an entry for each byte with which the rest of a message may start, and one
  /// for the end of the message.
  using Table = std::array<std::uint16_t, byte_values + 1>;

  RowTree::Text store(std::string_view text) {
    auto [stored, is_new] = texts_.try_emplace(text);
    if (is_new) {
      stored->second = {static_cast<std::uint32_t>(made_.words.size()), static_cast<std::uint16_t>(text.size())};
      made_.words.append(text);
    }
    return stored->second;
  }

  /// Stores the words of a choice in RowTree::choices, once for equal choices. Returns their position and number, for
  /// RowTree::Node::after.
  RowTree::Text store_choice(std::string_view choice) {
    const auto [stored, is_new] = choices_.try_emplace(choice);
    if (!is_new) return stored->second;
    const std::vector<std::string_view> words = ordered_words(choice);
    stored->second = {static_cast<std::uint32_t>(made_.choices.size()), static_cast<std::uint16_t>(words.size())};
    for (auto word = words.begin(); word != words.end(); ++word) {
      RowTree::Choice& made = made_.choices.emplace_back();
      const std::size_t head = std::min(word->size(), sizeof made.value);
      std::memcpy(&made.value, word->data(), head);
      std::memset(&made.mask, 0xff, head);
      made.text = store(*word);
      made.others = static_cast<std::uint16_t>(std::count_if(word + 1, words.end(), [&](std::string_view next) {
        return !next.empty() && !word->empty() && next.front() == word->front();
      }));
    }
    return stored->second;
  }

  void flatten(const RowTrie::Node& node) {
    RowTree::Node& flat = made_.nodes.emplace_back();
    flat.shape = node.op.shape;
    const bool choice = node.op.shape == Shape::choice;
    flat.text = choice ? RowTree::Text{} : store(node.op.text);
    flat.after = choice ? store_choice(node.op.text) : store(node.op.after);
    flat.leaf = node.leaf;
    flat.children = static_cast<std::uint16_t>(made_.children.size());
    flat.literals = static_cast<std::uint16_t>(node.literals.size());
    flat.holes = static_cast<std::uint16_t>(node.holes.size());
    for (const auto* const some : {&node.literals, &node.holes})
      for (const std::uint32_t child : *some) made_.children.push_back(static_cast<std::uint16_t>(child));
    flat.has_several = flat.literals + flat.holes > 1 && node.op.shape != Shape::text;
    if (flat.has_several) {
      flat.table = static_cast<std::uint32_t>(tables_.size());
      tables_.push_back(table_of(node));
    } else if (flat.literals + flat.holes == 1) {
      flat.only = made_.children.back();
    }
  }

  Table table_of(const RowTrie::Node& node) {
    Table table;
    for (std::size_t byte = 0; byte <= byte_values; ++byte) {
      std::vector<std::uint16_t> candidates;
      for (const auto* const some : {&node.literals, &node.holes})
        for (const std::uint32_t child : *some) {
          const FirstBytes& first = trie_.nodes()[child].first;
          if (byte == byte_values ? first.may_be_empty : first.set[byte])
            candidates.push_back(static_cast<std::uint16_t>(child));
        }
      table[byte] = candidates.empty()       ? RowTree::none
                    : candidates.size() == 1 ? candidates[0]
                                             : store_list(candidates);
    }
    return table;
  }

  std::uint16_t store_list(const std::vector<std::uint16_t>& nodes) {
    const auto [stored, is_new] = lists_.try_emplace(nodes, static_cast<std::uint16_t>(made_.lists.size()));
    if (is_new) {
      made_.lists.push_back(static_cast<std::uint16_t>(nodes.size()));
      made_.lists.insert(made_.lists.end(), nodes.begin(), nodes.end());
    }
    return stored->second | RowTree::many;
  }

  /// Shrinks the tables to about a third. Bytes that have equal entries in every table form a class, and a table keeps
  /// one entry for each class.
  void compress_tables() {
    std::map<std::vector<std::uint16_t>, std::uint8_t> classes;
    std::vector<std::size_t> representatives;  // one byte for each class
    for (std::size_t byte = 0; byte < byte_values; ++byte) {
      std::vector<std::uint16_t> column;
      for (const Table& table : tables_) column.push_back(table[byte]);
      const auto [known, is_new] = classes.try_emplace(column, static_cast<std::uint8_t>(classes.size()));
      if (is_new) representatives.push_back(byte);
      made_.classes[byte] = known->second;
    }
    representatives.push_back(byte_values);
    made_.width = static_cast<std::uint16_t>(representatives.size());
    for (const Table& table : tables_)
      for (const std::size_t byte : representatives) made_.tables.push_back(table[byte]);
    for (RowTree::Node& node : made_.nodes) node.table *= made_.width;
  }

  const RowTrie& trie_;
  CompiledRows made_;
  std::vector<Table> tables_;
  std::map<std::string_view, RowTree::Text> texts_, choices_;
  std::map<std::vector<std::uint16_t>, std::uint16_t> lists_;
};

}  // namespace

CompiledRows compile_rows(std::span<const Family> families) {
  const RowTrie trie(families);
  return Flattener(trie).run();
}

RowTree CompiledRows::tree() const {
  return {.nodes = nodes,
          .children = children,
          .tables = tables,
          .lists = lists,
          .classes = classes,
          .width = width,
          .choices = choices,
          .leaves = leaves,
          .bindings = bindings,
          .words = words};
}

}  // namespace nccl_analyze
