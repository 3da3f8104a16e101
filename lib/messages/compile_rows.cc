// Rows into one prefix tree.

#include <algorithm>
#include <bitset>
#include <cstring>
#include <deque>
#include <map>
#include <string>

#include "messages/row.h"
#include "messages/row_syntax.h"
#include "messages/row_tree.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t bytes = 256;

/// Bytes that something may begin with, and whether it may take nothing.
struct First {
  std::bitset<bytes> set;
  bool may_be_empty = false;
};

First first_of(const Op& op) {
  First first;
  const auto add = [&](std::string_view some) {
    for (const char c : some) first.set.set(static_cast<unsigned char>(c));
  };
  switch (op.shape) {
    case Shape::literal:
      add(op.text.substr(0, 1));
      return first;
    case Shape::choice:
      for (std::string_view rest = op.text;;) {
        const std::string_view word = rest.substr(0, rest.find('|'));
        add(word.substr(0, 1));
        first.may_be_empty = first.may_be_empty || word.empty();
        if (word.size() == rest.size()) return first;
        rest.remove_prefix(word.size() + 1);
      }
    case Shape::flag:
    case Shape::optional_int:
      add(op.text.substr(0, 1));
      first.may_be_empty = true;
      return first;
    case Shape::int32:
    case Shape::int64:
    case Shape::real:
      add(" -0123456789");
      return first;
    case Shape::hex:
      add("0123456789abcdefABCDEF(");
      return first;
    case Shape::blank:
      add(" ");
      first.may_be_empty = true;
      return first;
    case Shape::ranks:
      add(" .0123456789");
      return first;
    case Shape::trees:
      add(" [");
      return first;
    case Shape::word:
    case Shape::text:
      break;
  }
  first.set.set();
  first.may_be_empty = true;
  return first;
}

/// The tree while it grows.
class Growing {
 public:
  explicit Growing(std::span<const Family> families) {
    nodes_.push_back({});
    for (std::size_t family = 0; family < families.size(); ++family)
      for (std::size_t row = 0; row < families[family].rows.size(); ++row) add(families[family].rows[row], family, row);
    find_first_bytes(0);
  }

  CompiledRows finish() {
    for (const Node& node : nodes_) flatten(node);
    share_classes();
    if (nodes_.size() >= RowTree::many || made_.lists.size() >= RowTree::many || made_.leaves.size() >= RowTree::none ||
        made_.bindings.size() >= RowTree::none)
      made_.errors.emplace_back("more rows than the tree's 15-bit numbers can name");
    return std::move(made_);
  }

 private:
  struct Node {
    Op op;
    std::uint16_t leaf = RowTree::none;
    std::vector<std::uint32_t> literals, holes;
    First first;  ///< Of what stands here, what may follow included.
  };
  using Table = std::array<std::uint16_t, bytes + 1>;

  void add(const Row& row, std::size_t family, std::size_t number) {
    const ParsedRow parsed = parse_row(row.wording, row.kind->fields);
    std::string_view problem = parsed.problem;
    for (unsigned chosen = 0; chosen < 1U << parsed.parts && problem.empty(); ++chosen) {
      const ParsedRow whole = joined(with_parts(parsed, chosen));
      problem = whole.problem;
      if (problem.empty() && !insert(whole, family, number)) problem = "two rows of one wording";
    }
    if (!problem.empty()) made_.errors.push_back(std::string{problem} + ": " + std::string{row.wording});
  }

  /// Literals that follow each other where a part is left out become one.
  ParsedRow joined(const ParsedRow& row) {
    ParsedRow made;
    made.problem = row.problem;
    made.captures = row.captures;
    for (const Op& op : row.steps()) {
      const bool goes_on = made.count > 0 && op.shape == Shape::literal && made.ops[made.count - 1].shape == op.shape;
      if (!goes_on) {
        made.ops[made.count++] = op;
        continue;
      }
      Op& before = made.ops[made.count - 1];
      before.text = literals_.emplace_back(std::string{before.text} + std::string{op.text});
    }
    return made;
  }

  std::uint32_t add_node(std::uint32_t parent, const Op& op) {
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back().op = op;
    if (op.shape == Shape::literal) {
      nodes_[parent].literals.push_back(index);
      return index;
    }
    auto& holes = nodes_[parent].holes;
    const auto narrower = [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].op.shape < nodes_[b].op.shape; };
    holes.insert(std::upper_bound(holes.begin(), holes.end(), index, narrower), index);
    return index;
  }

  std::uint32_t insert_literal(std::uint32_t parent, std::string_view text) {
    const bool whole = nodes_[parent].op.shape == Shape::text;
    for (const std::uint32_t child : nodes_[parent].literals) {
      const std::string_view have = nodes_[child].op.text;
      if (whole) {
        if (have == text) return child;
        continue;
      }
      const auto common = static_cast<std::size_t>(
          std::mismatch(have.begin(), have.end(), text.begin(), text.end()).first - have.begin());
      if (common == 0) continue;
      if (common < have.size()) {  // split: the child keeps the common part, its old self becomes the grandchild
        const auto lower = static_cast<std::uint32_t>(nodes_.size());
        Node tail = std::move(nodes_[child]);
        tail.op.text.remove_prefix(common);
        nodes_.push_back(std::move(tail));
        nodes_[child] = Node{};
        nodes_[child].op.text = have.substr(0, common);
        nodes_[child].literals = {lower};
      }
      return common == text.size() ? child : insert_literal(child, text.substr(common));
    }
    return add_node(parent, {.shape = Shape::literal, .text = text});
  }

  /// False when the wording is there already.
  bool insert(const ParsedRow& parsed, std::size_t family, std::size_t row) {
    std::uint32_t node = 0;
    for (const Op& op : parsed.steps()) {
      if (op.shape == Shape::literal) {
        node = insert_literal(node, op.text);
        continue;
      }
      const auto& holes = nodes_[node].holes;
      const auto same =
          std::find_if(holes.begin(), holes.end(), [&](std::uint32_t child) { return nodes_[child].op.same_step(op); });
      node = same != holes.end() ? *same : add_node(node, op);
    }
    if (nodes_[node].leaf != RowTree::none) return false;
    nodes_[node].leaf = static_cast<std::uint16_t>(made_.leaves.size());
    made_.leaves.push_back({static_cast<std::uint16_t>(family), static_cast<std::uint16_t>(row),
                            static_cast<std::uint16_t>(made_.bindings.size()), 0, end_of(parsed)});
    std::uint8_t capture = 0;
    for (const Op& op : parsed.steps()) {
      if (op.field != Op::no_field) {
        made_.bindings.push_back({capture, static_cast<std::uint8_t>(op.field)});
        ++made_.leaves.back().bound;
      }
      if (op.shape != Shape::literal) ++capture;
    }
    return true;
  }

  /// Most children of a node cannot begin with the byte at hand: to know it saves trying them.
  void find_first_bytes(std::uint32_t index) {
    First below;
    below.may_be_empty = nodes_[index].leaf != RowTree::none;
    for (const auto* const children : {&nodes_[index].literals, &nodes_[index].holes}) {
      for (const std::uint32_t child : *children) {
        find_first_bytes(child);
        below.set |= nodes_[child].first.set;
        below.may_be_empty = below.may_be_empty || nodes_[child].first.may_be_empty;
      }
    }
    First& first = nodes_[index].first;
    if (index != 0) first = first_of(nodes_[index].op);
    if (first.may_be_empty || index == 0) first.set |= below.set;
    first.may_be_empty = first.may_be_empty && below.may_be_empty;
  }

  RowTree::Text kept(std::string_view text) {
    auto [known, is_new] = texts_.try_emplace(text);
    if (is_new) {
      known->second = {static_cast<std::uint32_t>(made_.words.size()), static_cast<std::uint16_t>(text.size())};
      made_.words.append(text);
    }
    return known->second;
  }

  RowTree::Text kept_choice(std::string_view alternatives) {
    const auto [known, is_new] = choices_.try_emplace(alternatives);
    if (!is_new) return known->second;
    RowTree::Text& where = known->second;
    where.at = static_cast<std::uint32_t>(made_.choices.size());
    std::vector<std::string_view> alone;
    while (true) {
      const std::size_t bar = alternatives.find('|');
      alone.push_back(alternatives.substr(0, bar));
      if (bar == std::string_view::npos) break;
      alternatives.remove_prefix(bar + 1);
    }
    // The first that fits wins, so words of one first byte keep their order; the empty word fits everywhere.
    std::stable_sort(alone.begin(), alone.end(), [](std::string_view a, std::string_view b) {
      return !a.empty() && (b.empty() || a.front() < b.front());
    });
    where.size = static_cast<std::uint16_t>(alone.size());
    for (auto word = alone.begin(); word != alone.end(); ++word) {
      RowTree::Choice& choice = made_.choices.emplace_back();
      const std::size_t head = std::min(word->size(), sizeof choice.value);
      std::memcpy(&choice.value, word->data(), head);
      std::memset(&choice.mask, 0xff, head);
      choice.text = kept(*word);
      choice.others = static_cast<std::uint16_t>(std::count_if(word + 1, alone.end(), [&](std::string_view next) {
        return !next.empty() && !word->empty() && next.front() == word->front();
      }));
    }
    return where;
  }

  void flatten(const Node& node) {
    RowTree::Node& flat = made_.nodes.emplace_back();
    flat.shape = node.op.shape;
    const bool choice = node.op.shape == Shape::choice;
    flat.text = choice ? RowTree::Text{} : kept(node.op.text);
    flat.after = choice ? kept_choice(node.op.text) : kept(node.op.after);
    flat.leaf = node.leaf;
    flat.children = static_cast<std::uint16_t>(made_.children.size());
    flat.literals = static_cast<std::uint16_t>(node.literals.size());
    flat.holes = static_cast<std::uint16_t>(node.holes.size());
    for (const auto* const some : {&node.literals, &node.holes})
      for (const std::uint32_t child : *some) made_.children.push_back(static_cast<std::uint16_t>(child));
    flat.has_several = flat.literals + flat.holes > 1 && node.op.shape != Shape::text;
    if (flat.has_several) {
      flat.table = static_cast<std::uint32_t>(full_tables_.size());
      full_tables_.push_back(table_of(node));
    } else if (flat.literals + flat.holes == 1) {
      flat.only = made_.children.back();
    }
  }

  Table table_of(const Node& node) {
    Table table;
    for (std::size_t byte = 0; byte <= bytes; ++byte) {
      std::vector<std::uint16_t> fit;
      for (const auto* const some : {&node.literals, &node.holes})
        for (const std::uint32_t child : *some) {
          const First& first = nodes_[child].first;
          if (byte == bytes ? first.may_be_empty : first.set[byte]) fit.push_back(static_cast<std::uint16_t>(child));
        }
      table[byte] = fit.empty() ? RowTree::none : fit.size() == 1 ? fit[0] : list_of(fit);
    }
    return table;
  }

  std::uint16_t list_of(const std::vector<std::uint16_t>& nodes) {
    const auto [known, is_new] = lists_.try_emplace(nodes, static_cast<std::uint16_t>(made_.lists.size()));
    if (is_new) {
      made_.lists.push_back(static_cast<std::uint16_t>(nodes.size()));
      made_.lists.insert(made_.lists.end(), nodes.begin(), nodes.end());
    }
    return known->second | RowTree::many;
  }

  /// Bytes that stand alike in every table share an entry.
  void share_classes() {
    std::map<std::vector<std::uint16_t>, std::uint8_t> classes;
    std::vector<std::size_t> standing;  // one byte of each class
    for (std::size_t byte = 0; byte < bytes; ++byte) {
      std::vector<std::uint16_t> column;
      for (const Table& table : full_tables_) column.push_back(table[byte]);
      const auto [known, is_new] = classes.try_emplace(column, static_cast<std::uint8_t>(classes.size()));
      if (is_new) standing.push_back(byte);
      made_.classes[byte] = known->second;
    }
    standing.push_back(bytes);
    made_.width = static_cast<std::uint16_t>(standing.size());
    for (const Table& table : full_tables_)
      for (const std::size_t byte : standing) made_.tables.push_back(table[byte]);
    for (RowTree::Node& node : made_.nodes) node.table *= made_.width;
  }

  std::deque<std::string> literals_;  ///< Those that are joined of several; they stay where they are.
  std::vector<Node> nodes_;
  CompiledRows made_;
  std::vector<Table> full_tables_;
  std::map<std::string_view, RowTree::Text> texts_, choices_;
  std::map<std::vector<std::uint16_t>, std::uint16_t> lists_;
};

}  // namespace

CompiledRows compile_rows(std::span<const Family> families) { return Growing(families).finish(); }

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
