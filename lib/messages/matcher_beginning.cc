// Recognises cut messages: whether a message is a prefix of a row's messages, and which words are missing.

#include <algorithm>

#include "messages/matcher.h"
#include "messages/row_syntax.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t min_beginning = 3;     // minimum number of literal bytes in a cut message
constexpr std::size_t min_before_text = 24;  // minimum number of literal bytes in a message that ends within free text

/// Whether a sentence ends at the boundary between `text` and `following`.
bool is_sentence(std::string_view text, std::string_view following) {
  return text.ends_with('.') ? following.starts_with(' ') : following.starts_with('.');
}

/// Returns the size of the longest prefix of `literal` that consists of whole sentences, with or without the last
/// period, and is a suffix of `rest`; 0 if there is none.
std::size_t size_of_sentences(std::string_view literal, std::string_view rest) {
  for (std::size_t dot = literal.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = literal.substr(0, dot).rfind('.'))
    for (const std::size_t size : {dot + 1, dot})
      if (size < literal.size() && rest.ends_with(literal.substr(0, size))) return size;
  return 0;
}

}  // namespace

/// Whether `rest`, the end of the message, is a proper prefix of a text that some path below the node matches.
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

/// Implements ends_within() for a child that is a word or free text.
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

/// Implements ends_within() for a child that is a hole of another shape.
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

/// Adds a completion for each row below the node if `rest` lacks only the last sentences of the row's last literal.
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

std::size_t Matcher::size_of_beginning(std::string_view message) const {
  std::size_t size = 0, beyond = message.size() + 1;
  while (beyond - size > 1) {  // what begins a beginning is one, but for a few bytes at its start
    const std::size_t middle = size + (beyond - size) / 2;
    (is_beginning(message.substr(0, middle)) ? size : beyond) = middle;
  }
  return size;
}

}  // namespace nccl_analyze
