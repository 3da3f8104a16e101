// Builds the prefix tree of all rows.

#include "messages/row_trie.h"

#include <algorithm>
#include <utility>

namespace nccl_analyze {

namespace {

std::bitset<byte_values> set_of(std::string_view bytes) {
  std::bitset<byte_values> set;
  for (const char c : bytes) set.set(static_cast<unsigned char>(c));
  return set;
}

FirstBytes first_of_choice(std::string_view words) {
  FirstBytes first;
  while (true) {
    const std::string_view word = words.substr(0, words.find('|'));
    first.set |= set_of(word.substr(0, 1));
    first.may_be_empty = first.may_be_empty || word.empty();
    if (word.size() == words.size()) return first;
    words.remove_prefix(word.size() + 1);
  }
}

/// Returns the first bytes of the texts that a step matches.
FirstBytes first_of(const Op& op) {
  switch (op.shape) {
    case Shape::literal:
      return {set_of(op.text.substr(0, 1)), false};
    case Shape::choice:
      return first_of_choice(op.text);
    case Shape::flag:
    case Shape::optional_int:
      return {set_of(op.text.substr(0, 1)), true};
    case Shape::int32:
    case Shape::int64:
    case Shape::real:
      return {set_of(" -0123456789"), false};
    case Shape::hex:
      return {set_of("0123456789abcdefABCDEF("), false};
    case Shape::blank:
      return {set_of(" "), true};
    case Shape::ranks:
      return {set_of(" .0123456789"), false};
    case Shape::trees:
      return {set_of(" ["), false};
    case Shape::word:
    case Shape::text:
      break;
  }
  return {~std::bitset<byte_values>{}, true};
}

}  // namespace

RowTrie::RowTrie(std::span<const Family> families) {
  nodes_.push_back({});
  for (std::size_t family = 0; family < families.size(); ++family)
    for (std::size_t row = 0; row < families[family].rows.size(); ++row) add(families[family].rows[row], family, row);
  find_first_bytes(0);
}

/// Inserts a row once for each combination of its optional parts.
void RowTrie::add(const Row& row, std::size_t family, std::size_t number) {
  const ParsedRow parsed = parse_row(row.wording, row.kind->fields);
  std::string_view problem = parsed.problem;
  for (unsigned chosen = 0; chosen < 1U << parsed.parts && problem.empty(); ++chosen) {
    const ParsedRow whole = merge_literals(with_parts(parsed, chosen));
    problem = whole.problem;
    if (problem.empty() && !insert(whole, family, number)) problem = "two rows of one wording";
  }
  if (!problem.empty()) errors_.push_back(std::string{problem} + ": " + std::string{row.wording});
}

/// Merges literals that are adjacent because an optional part between them was removed.
ParsedRow RowTrie::merge_literals(const ParsedRow& row) {
  ParsedRow merged;
  merged.problem = row.problem;
  merged.captures = row.captures;
  for (const Op& op : row.steps()) {
    Op* const last = merged.count > 0 ? &merged.ops[merged.count - 1] : nullptr;
    if (last == nullptr || op.shape != Shape::literal || last->shape != Shape::literal)
      merged.ops[merged.count++] = op;
    else
      last->text = merged_literals_.emplace_back(std::string{last->text} + std::string{op.text});
  }
  return merged;
}

/// Inserts a row without optional parts. Returns false if another row has the same wording.
bool RowTrie::insert(const ParsedRow& parsed, std::size_t family, std::size_t row) {
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
  nodes_[node].leaf = static_cast<std::uint16_t>(leaves_.size());
  leaves_.push_back({static_cast<std::uint16_t>(family), static_cast<std::uint16_t>(row),
                     static_cast<std::uint16_t>(bindings_.size()), 0, end_of(parsed)});
  std::uint8_t capture = 0;
  for (const Op& op : parsed.steps()) {
    if (op.field != Op::no_field) {
      bindings_.push_back({capture, static_cast<std::uint8_t>(op.field)});
      ++leaves_.back().bound;
    }
    if (op.shape != Shape::literal) ++capture;
  }
  return true;
}

std::uint32_t RowTrie::insert_literal(std::uint32_t parent, std::string_view text) {
  const bool behind_text = nodes_[parent].op.shape == Shape::text;
  for (const std::uint32_t child : nodes_[parent].literals) {
    const std::string_view other = nodes_[child].op.text;
    if (behind_text) {
      if (other == text) return child;
      continue;
    }
    const auto common = static_cast<std::size_t>(
        std::mismatch(other.begin(), other.end(), text.begin(), text.end()).first - other.begin());
    if (common == 0) continue;
    if (common < other.size()) split(child, common);
    return common == text.size() ? child : insert_literal(child, text.substr(common));
  }
  return add_node(parent, {.shape = Shape::literal, .text = text});
}

std::uint32_t RowTrie::add_node(std::uint32_t parent, const Op& op) {
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

/// Splits a literal: the node keeps the first `size` bytes, and the rest becomes its child.
void RowTrie::split(std::uint32_t node, std::size_t size) {
  const auto lower = static_cast<std::uint32_t>(nodes_.size());
  const std::string_view text = nodes_[node].op.text;
  Node rest = std::move(nodes_[node]);
  rest.op.text.remove_prefix(size);
  nodes_.push_back(std::move(rest));
  nodes_[node] = Node{};
  nodes_[node].op.text = text.substr(0, size);
  nodes_[node].literals = {lower};
}

void RowTrie::find_first_bytes(std::uint32_t index) {
  FirstBytes below;
  below.may_be_empty = nodes_[index].leaf != RowTree::none;
  for (const auto* const children : {&nodes_[index].literals, &nodes_[index].holes}) {
    for (const std::uint32_t child : *children) {
      find_first_bytes(child);
      below.set |= nodes_[child].first.set;
      below.may_be_empty = below.may_be_empty || nodes_[child].first.may_be_empty;
    }
  }
  FirstBytes& first = nodes_[index].first;
  if (index != 0) first = first_of(nodes_[index].op);
  if (first.may_be_empty || index == 0) first.set |= below.set;
  first.may_be_empty = first.may_be_empty && below.may_be_empty;
}

}  // namespace nccl_analyze
