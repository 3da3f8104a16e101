#include "messages/matcher.h"

#include <algorithm>
#include <bitset>

#include "messages/row_syntax.h"
#include "messages/scan.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t min_beginning = 3;     // bytes of a row's own words that make a message its beginning
constexpr std::size_t min_before_text = 24;  // the same where the message ends in the first word of free text

/// Whether a sentence ends between `text` and what follows it.
bool is_sentence(std::string_view text, std::string_view following) {
  return text.ends_with('.') ? following.starts_with(' ') : following.starts_with('.');
}

/// How much of the beginning of `literal` ends `rest`, if a sentence ends there; 0 when nothing does.
std::size_t size_of_sentences(std::string_view literal, std::string_view rest) {
  for (std::size_t dot = literal.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = literal.substr(0, dot).rfind('.'))
    for (const std::size_t size : {dot + 1, dot})
      if (size < literal.size() && rest.ends_with(literal.substr(0, size))) return size;
  return 0;
}

template <class E>
void fix_interface_alias(Event& event) {
  if (E* const chosen = std::get_if<E>(&event)) detail::move_interface_alias(chosen->interface, chosen->address);
}

}  // namespace

/// The child that can begin with the byte at hand, or a list of them, or none.
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

/// Any hole but text and words.
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

/// The row of a message that goes on below a node, which begins at `at`.
const RowTree::Leaf* Matcher::follow(Index index, const char* at, std::size_t captures, State& state) const {
  // Nearly always one child can begin here: then this is a loop, and only a true choice recurses.
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

/// The literal before the holes, narrow holes before wide ones.
const RowTree::Leaf* Matcher::follow_each(Index list, const char* at, std::size_t captures, State& state) const {
  const Index* const length = tree_.lists.data() + (list - RowTree::many);
  for (const Index* child = length + 1; child != length + 1 + *length; ++child)
    if (const RowTree::Leaf* leaf = follow(*child, at, captures, state)) return leaf;
  return nullptr;
}

/// A word ends at the first byte of what follows it, so that literals after a word can share their beginnings: each
/// byte of the word is looked up once, and only where it stands first.
const RowTree::Leaf* Matcher::follow_word(const RowTree::Node& node, const char* at, std::size_t captures,
                                          State& state) const {
  const char* const end = state.end;
  const auto take_until = [&](const char* stop) {
    state.captures[captures].set_text({at, static_cast<std::size_t>(stop - at)});
  };
  const char* stop = at;
  if (node.has_several) {
    std::bitset<256> seen;
    for (; stop != end; ++stop) {
      const Index child = child_at(node, stop, end);
      const auto byte = static_cast<unsigned char>(*stop);
      if (child != RowTree::none && !seen[byte]) {
        seen.set(byte);
        take_until(stop);
        if (const RowTree::Leaf* leaf = follow(child, stop, captures + 1, state)) return leaf;
      }
      if (byte == ' ') return nullptr;
    }
  } else {
    const char first = node.only == RowTree::none ? ' ' : tree_.words[tree_.nodes[node.only].text.at];
    stop = detail::find_end_of_word(stop, end, first);
    if (stop != end && node.only != RowTree::none && *stop == first) {
      take_until(stop);
      if (const RowTree::Leaf* leaf = follow(node.only, stop, captures + 1, state)) return leaf;
    }
    while (stop != end && *stop != ' ') ++stop;
    if (stop != end) return nullptr;
  }
  if (node.leaf == RowTree::none || stop == at) return nullptr;
  take_until(stop);
  return &tree_.leaves[node.leaf];
}

const RowTree::Leaf* Matcher::follow_text(const RowTree::Node& node, const char* at, std::size_t captures,
                                          State& state) const {
  const std::string_view rest(at, static_cast<std::size_t>(state.end - at));
  for (const Index child : literals_of(node)) {
    const std::size_t found = rest.find(words(tree_.nodes[child].text));
    if (found == std::string_view::npos) continue;
    state.captures[captures].set_text(rest.substr(0, found));
    if (const RowTree::Leaf* leaf = follow(child, at + found, captures + 1, state)) return leaf;
  }
  if (node.leaf == RowTree::none) return nullptr;
  state.captures[captures].set_text(rest);
  return &tree_.leaves[node.leaf];
}

/// Does `rest` end before the rows below the node do? `literal_bytes` of their own words stood before it.
bool Matcher::ends_within(Index index, std::string_view rest, std::size_t literal_bytes) const {
  if (rest.empty()) return literal_bytes >= min_beginning;
  const RowTree::Node& node = tree_.nodes[index];
  for (const Index child : literals_of(node)) {
    const std::string_view text = words(tree_.nodes[child].text);
    if (text.front() != rest.front()) continue;
    if (text.starts_with(rest)) {
      if (literal_bytes + rest.size() >= min_beginning) return true;
    } else if (rest.starts_with(text) && ends_within(child, rest.substr(text.size()), literal_bytes + text.size())) {
      return true;
    }
  }
  const auto holes = holes_of(node);
  return std::any_of(holes.begin(), holes.end(), [&](Index child) {
    const RowTree::Node& hole = tree_.nodes[child];
    return ends_at_next_literal(hole.shape) ? ends_within_text(hole, rest, literal_bytes)
                                            : ends_within_value(child, rest, literal_bytes);
  });
}

/// The same below a hole of a word or of free text.
bool Matcher::ends_within_text(const RowTree::Node& node, std::string_view rest, std::size_t literal_bytes) const {
  const bool word = node.shape == Shape::word;
  if (rest.find(' ') == std::string_view::npos && literal_bytes >= (word ? min_beginning : min_before_text))
    return true;
  for (const Index next : literals_of(node)) {
    const std::string_view literal = words(tree_.nodes[next].text);
    const std::size_t found = rest.find(literal);
    if (found == std::string_view::npos) continue;
    if (word && rest.substr(0, found).find(' ') != std::string_view::npos) continue;
    if (ends_within(next, rest.substr(found + literal.size()), literal_bytes + literal.size())) return true;
  }
  return false;
}

/// The same below a hole of any other value.
bool Matcher::ends_within_value(Index index, std::string_view rest, std::size_t literal_bytes) const {
  const RowTree::Node& node = tree_.nodes[index];
  const char* const end = rest.data() + rest.size();
  Capture ignored;
  const char* const after = scan_value(node, rest.data(), end, ignored);
  if (after != nullptr) return ends_within(index, {after, static_cast<std::size_t>(end - after)}, literal_bytes);
  if (node.shape != Shape::choice || literal_bytes < min_beginning) return false;
  const auto choices = tree_.choices.subspan(node.after.at, node.after.size);
  return std::any_of(choices.begin(), choices.end(),
                     [&](const RowTree::Choice& choice) { return words(choice.text).starts_with(rest); });
}

void Matcher::Completion::add(std::string_view literal, std::size_t size) {
  if (!is_sentence(literal.substr(0, size), literal.substr(size))) return;
  words = literal.substr(size);
  ++count;
}

/// Adds what the rows below the node go on with behind `rest`, which ends where a sentence of their last words does.
void Matcher::add_completions(Index index, std::string_view rest, std::size_t literal_bytes, Completion& found) const {
  const RowTree::Node& node = tree_.nodes[index];
  const bool searched = ends_at_next_literal(node.shape);
  for (const Index child : literals_of(node)) {
    const RowTree::Node& next = tree_.nodes[child];
    const std::string_view text = words(next.text);
    const std::size_t at = searched ? rest.find(text) : 0;
    if (at != std::string_view::npos && rest.substr(at).starts_with(text)) {
      add_completions(child, rest.substr(at + text.size()), literal_bytes + text.size(), found);
    } else if (next.leaf != RowTree::none) {
      const std::size_t size = searched ? size_of_sentences(text, rest) : text.starts_with(rest) ? rest.size() : 0;
      if (size != 0 && literal_bytes + size >= min_before_text) found.add(text, size);
    }
  }
  for (const Index child : holes_of(node)) {
    const RowTree::Node& hole = tree_.nodes[child];
    if (ends_at_next_literal(hole.shape)) {
      add_completions(child, rest, literal_bytes, found);
      continue;
    }
    Capture ignored;
    const char* const end = rest.data() + rest.size();
    const char* const after = scan_value(hole, rest.data(), end, ignored);
    if (after == nullptr) continue;
    add_completions(child, {after, static_cast<std::size_t>(end - after)}, literal_bytes, found);
  }
}

std::string_view Matcher::words_missing(std::string_view message) const {
  Completion found;
  if (!message.empty()) add_completions(0, message, 0, found);
  return found.count == 1 ? found.words : std::string_view{};
}

bool Matcher::is_beginning(std::string_view message) const { return message.empty() || ends_within(0, message, 0); }

Matcher::Matcher(const RowTree& tree, std::span<const Family> families) : tree_(tree), families_(families) {
  for (const RowTree::Leaf& leaf : tree_.leaves) {
    const Row& row = families_[leaf.family].rows[leaf.row];
    if (row.end != leaf.end) forms_.emplace(&leaf, row).first->second.end = leaf.end;
  }
  for (const Family& family : families_) {
    for (const Row& row : family.rows) {
      if (row.hot == nullptr) continue;
      const auto first = static_cast<unsigned char>(row.wording.front());
      (first == '{' ? hot_operations_ : hot_[first]).push_back(&row);
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

const Row* Matcher::match(std::string_view message, Event& event) const {
  State state;
  state.end = message.data() + message.size();
  const RowTree::Leaf* leaf = nullptr;
  if (!message.empty()) {
    const Index child = child_at(tree_.nodes[0], message.data(), state.end);
    if (child < RowTree::many)
      leaf = follow(child, message.data(), 0, state);
    else if (child != RowTree::none)
      leaf = follow_each(child, message.data(), 0, state);
  }
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
