// Walks the prefix tree of all rows, and creates the event of the row that matches.

#include "messages/matcher.h"

#include <algorithm>
#include <bitset>

#include "messages/row_syntax.h"
#include "messages/scan.h"

namespace nccl_analyze {

namespace {

/// Corrects the interface and its address in an event of type E: the template separates them at the first colon, even
/// if the interface has an alias (list_cursor.h).
template <class E>
void fix_interface_alias(Event& event) {
  if (E* const chosen = std::get_if<E>(&event)) detail::move_interface_alias(chosen->interface, chosen->address);
}

}  // namespace

/// Returns the entry of RowTree::tables for the byte at `at`: the child that may start with this byte, a list of such
/// children, or none. If the node has only one child, returns that child without a look at the byte.
inline Matcher::Index Matcher::child_at(const RowTree::Node& node, const char* at, const char* end) const {
  if (!node.has_several) return node.only;
  const std::size_t entry = at == end ? tree_.width - 1U : tree_.classes[static_cast<unsigned char>(*at)];
  return tree_.tables[node.table + entry];
}

const char* Matcher::scan_choice(const RowTree::Node& node, const char* at, const char* end, Capture& capture) const {
  const auto left = static_cast<std::size_t>(end - at);
  std::uint64_t head = 0;
  if (left >= sizeof head)
    std::memcpy(&head, at, sizeof head);
  else
    for (std::size_t i = 0; i < left; ++i) reinterpret_cast<char*>(&head)[i] = at[i];
  const RowTree::Choice* choice = tree_.choices.data() + node.after.at;
  for (const RowTree::Choice* const last = choice + node.after.size; choice != last; ++choice) {
    const std::uint64_t differing = (head ^ choice->value) & choice->mask;
    if (differing == 0 && choice->text.size <= left &&
        (choice->text.size <= sizeof head || begins_with(at, end, words(choice->text)))) {
      capture.set_text({at, choice->text.size});
      return at + choice->text.size;
    }
    if ((differing & 0xff) != 0) choice += choice->others;
  }
  return nullptr;
}

/// Scans a hole of any shape except word and text.
const char* Matcher::scan_value(const RowTree::Node& node, const char* at, const char* end, Capture& capture) const {
  switch (node.shape) {
    case Shape::choice:
      return scan_choice(node, at, end, capture);
    case Shape::flag:
      return scan_flag(words(node.text), at, end, capture);
    case Shape::optional_int:
      return scan_optional_int(words(node.text), words(node.after), at, end, capture);
    case Shape::int32:
      return scan_as<Shape::int32>(at, end, capture);
    case Shape::int64:
      return scan_as<Shape::int64>(at, end, capture);
    case Shape::hex:
      return scan_as<Shape::hex>(at, end, capture);
    case Shape::real:
      return scan_as<Shape::real>(at, end, capture);
    case Shape::blank:
      return scan_as<Shape::blank>(at, end, capture);
    case Shape::ranks:
      return scan_as<Shape::ranks>(at, end, capture);
    case Shape::trees:
      return scan_as<Shape::trees>(at, end, capture);
    case Shape::word:
    case Shape::text:
    case Shape::literal:
      return nullptr;
  }
  return nullptr;
}

const RowTree::Leaf* Matcher::follow(Index index, const char* at, std::size_t captures, State& state) const {
  // Usually only one child may start with the next byte, and the loop continues with it. Several candidates require
  // recursion.
  const char* const end = state.end;
  Capture* capture = state.captures.data() + captures;
  const RowTree::Node* const nodes = tree_.nodes.data();
  while (true) {
    const RowTree::Node& node = nodes[index];
    switch (node.shape) {
      case Shape::literal:
        if (!begins_with(at, end, {tree_.words.data() + node.text.at, node.text.size})) return nullptr;
        at += node.text.size;
        break;
      case Shape::word:
        return follow_word(node, at, static_cast<std::size_t>(capture - state.captures.data()), state);
      case Shape::text:
        return follow_text(node, at, static_cast<std::size_t>(capture - state.captures.data()), state);
      default:
        at = scan_value(node, at, end, *capture++);
    }
    if (at == nullptr) return nullptr;
    if (at == end && node.leaf != RowTree::none) return &tree_.leaves[node.leaf];
    const Index child = child_at(node, at, end);
    if (child >= RowTree::many)
      return child == RowTree::none
                 ? nullptr
                 : follow_each(child, at, static_cast<std::size_t>(capture - state.captures.data()), state);
    index = child;
  }
}

/// Tries the nodes of a list in order: literals before holes, narrow holes before wide holes.
const RowTree::Leaf* Matcher::follow_each(Index list, const char* at, std::size_t captures, State& state) const {
  const Index* const length = tree_.lists.data() + (list - RowTree::many);
  for (const Index* child = length + 1; child != length + 1 + *length; ++child) {
    state.texts &= (1U << captures) - 1;
    if (const RowTree::Leaf* leaf = follow(*child, at, captures, state)) return leaf;
  }
  return nullptr;
}

/// Matches a word. Any byte with which a child may start can end the word, so several ends may have to be tried. To
/// bound the number of recursions, only the first occurrence of each byte value is tried.
const RowTree::Leaf* Matcher::follow_word(const RowTree::Node& node, const char* at, std::size_t captures,
                                          State& state) const {
  const char* const end = state.end;
  const auto capture_until = [&](const char* stop) {
    state.set_text(captures, {at, static_cast<std::size_t>(stop - at)});
  };
  const char* stop = at;
  if (node.has_several) {
    std::bitset<256> seen;
    for (; stop != end; ++stop) {
      const Index child = child_at(node, stop, end);
      const auto byte = static_cast<unsigned char>(*stop);
      if (child != RowTree::none && !seen[byte]) {
        seen.set(byte);
        capture_until(stop);
        if (const RowTree::Leaf* leaf = follow(child, stop, captures + 1, state)) return leaf;
      }
      if (byte == ' ') return nullptr;
    }
  } else {
    const char first = node.only == RowTree::none ? ' ' : tree_.words[tree_.nodes[node.only].text.at];
    stop = detail::find_end_of_word(stop, end, first);
    if (stop != end && node.only != RowTree::none && *stop == first) {
      capture_until(stop);
      if (const RowTree::Leaf* leaf = follow(node.only, stop, captures + 1, state)) return leaf;
    }
    while (stop != end && *stop != ' ') ++stop;
    if (stop != end) return nullptr;
  }
  if (node.leaf == RowTree::none || stop == at) return nullptr;
  capture_until(stop);
  return &tree_.leaves[node.leaf];
}

const RowTree::Leaf* Matcher::follow_text(const RowTree::Node& node, const char* at, std::size_t captures,
                                          State& state) const {
  const std::string_view rest(at, static_cast<std::size_t>(state.end - at));
  for (const Index child : literals_of(node)) {
    const std::size_t found = rest.find(words(tree_.nodes[child].text));
    if (found == std::string_view::npos) continue;
    state.set_text(captures, rest.substr(0, found));
    if (const RowTree::Leaf* leaf = follow(child, at + found, captures + 1, state)) return leaf;
  }
  if (node.leaf == RowTree::none) return nullptr;
  state.set_text(captures, rest);
  return &tree_.leaves[node.leaf];
}

Matcher::Matcher(const RowTree& tree, std::span<const Family> families) : tree_(tree), families_(families) {
  for (const RowTree::Leaf& leaf : tree_.leaves) {
    const Row& row = families_[leaf.family].rows[leaf.row];
    if (row.end != leaf.end) rows_of_other_end_.emplace(&leaf, row).first->second.end = leaf.end;
  }
  for (const Family& family : families_) {
    for (const Row& row : family.rows) {
      if (row.hot == nullptr) continue;
      if (row.wording.front() != '{') {
        hot_[static_cast<unsigned char>(row.wording.front())].push_back(&row);
      } else if (row.wording.find(":word}:") < row.wording.find(' ')) {
        hot_operations_.push_back(&row);
      } else if (row.wording.find("{function:word}") != std::string_view::npos) {
        hot_[static_cast<unsigned char>('n')].push_back(&row);  // the functions of NCCL's interface: ncclCommInitRank
      } else {
        for (const char first : std::string_view(" 0123456789"))
          hot_[static_cast<unsigned char>(first)].push_back(&row);
      }
    }
  }
}

const Row* Matcher::match_hot(std::string_view message, Event& event) const {
  if (message.empty()) return nullptr;
  const auto first = static_cast<unsigned char>(message.front());
  for (const Row* const row : hot_[first])
    if (row->hot(message, event)) return row;
  if (first < 'A' || first > 'Z') return nullptr;
  const char* const end = message.data() + message.size();
  const char* const after = detail::find_end_of_word(message.data(), end, ':');
  if (after == end || *after != ':') return nullptr;
  for (const Row* const row : hot_operations_)
    if (row->hot(message, event)) return row;
  return nullptr;
}

const RowTree::Leaf* Matcher::find_leaf(std::string_view message, State& state) const {
  state.end = message.data() + message.size();
  if (message.empty()) return nullptr;
  const Index child = child_at(tree_.nodes[0], message.data(), state.end);
  if (child == RowTree::none) return nullptr;
  return child < RowTree::many ? follow(child, message.data(), 0, state) : follow_each(child, message.data(), 0, state);
}

const Row* Matcher::find_free_text(std::string_view message, FreeText& found) const {
  State state;
  const RowTree::Leaf* const leaf = find_leaf(message, state);
  found.count = 0;
  if (leaf == nullptr) return nullptr;
  for (std::size_t i = 0; i < max_captures; ++i)
    if ((state.texts >> i & 1U) != 0) found.parts[found.count++] = state.captures[i].text();
  return &row_of(*leaf);
}

const Row* Matcher::match(std::string_view message, Event& event) const {
  State state;
  const RowTree::Leaf* const leaf = find_leaf(message, state);
  if (leaf == nullptr) {
    event.emplace<Unrecognized>();
    return nullptr;
  }
  const Row& row = row_of(*leaf);
  void* const made = row.kind->emplace(event);
  const RowTree::Binding* const first = tree_.bindings.data() + leaf->bindings;
  for (const RowTree::Binding* binding = first; binding != first + leaf->bound; ++binding)
    row.kind->fields[binding->field].visit(
        made, [&](auto& member) { detail::set_member(member, state.captures[binding->capture]); });
  if (row.kind->set_row != nullptr) row.kind->set_row(made, row);
  fix_interface_alias<BootstrapInterfaceChosen>(event);
  fix_interface_alias<SocketInterfaceUsed>(event);
  fix_interface_alias<IbDevicesListed>(event);
  return &row;
}

const Matcher& standard_matcher() {
  static const Matcher matcher{standard_row_tree(), all_families()};
  return matcher;
}

}  // namespace nccl_analyze
