#include "messages/matcher.h"

#include <algorithm>
#include <charconv>

#include "messages/scan.h"

namespace nccl_analyze {

struct Matcher::Parsed {
  std::vector<Op> ops;
  std::vector<Binding> bindings;
  std::size_t captures = 0;
};

struct Matcher::State {
  const char* end;
  std::array<Capture, max_captures> captures;
};

namespace {

/// A hole as it is written between braces.
struct Hole {
  std::string_view name, kind;
  char separator = 0;  ///< ':' or '?' or 0
};

Hole split_hole(std::string_view text) {
  const std::size_t at = text.find_first_of(":?");
  if (at == std::string_view::npos) return {text, {}, 0};
  return {text.substr(0, at), text.substr(at + 1), text[at]};
}

struct NamedShape {
  std::string_view name;
  Shape shape;
};
constexpr NamedShape named_shapes[] = {{"int", Shape::int64},   {"hex", Shape::hex},    {"real", Shape::real},
                                       {"word", Shape::word},   {"text", Shape::text},  {"blank", Shape::blank},
                                       {"ranks", Shape::ranks}, {"trees", Shape::trees}};

constexpr std::size_t min_beginning = 3;     // bytes of a row's own words that make a message its beginning
constexpr std::size_t min_before_text = 24;  // the same where the message ends in the first word of free text

bool ends_at_next_literal(Shape shape) { return shape == Shape::text || shape == Shape::word; }

}  // namespace

/// Reads the hole `text`, what stands between the braces, into an op; says what is wrong with it, or nothing.
std::string_view Matcher::parse_hole(std::string_view text, const Row& row, Parsed& parsed) {
  const Hole hole = split_hole(text);
  Op op{.literal = false, .shape = Shape::text, .text = {}, .after = {}};
  const auto field = std::find_if(row.kind->fields.begin(), row.kind->fields.end(),
                                  [&](const FieldInfo& one) { return one.name == hole.name; });
  const bool named = field != row.kind->fields.end();
  if (!named && !hole.name.empty()) return "no such member";
  if (named) op.shape = field->shape;
  if (hole.separator == '?') {
    const std::size_t number = hole.kind.find('#');
    op.shape = number == std::string_view::npos ? Shape::flag : Shape::optional_int;
    op.text = hole.kind.substr(0, number);
    if (number != std::string_view::npos) op.after = hole.kind.substr(number + 1);
  } else if (hole.separator == ':') {
    const auto* shape = std::find_if(std::begin(named_shapes), std::end(named_shapes),
                                     [&](const NamedShape& entry) { return entry.name == hole.kind; });
    op.shape = shape != std::end(named_shapes) ? shape->shape : Shape::choice;
    if (op.shape == Shape::choice) op.text = hole.kind;
  }
  if (!parsed.ops.empty() && !parsed.ops.back().literal && ends_at_next_literal(parsed.ops.back().shape))
    return "a hole that ends at the next literal needs one";
  if (parsed.captures == max_captures) return "too many holes";
  if (named) parsed.bindings.push_back({static_cast<std::uint8_t>(parsed.captures), field->set});
  ++parsed.captures;
  parsed.ops.push_back(op);
  return {};
}

bool Matcher::parse(const Row& row, Parsed& parsed) {
  std::string_view problem = row.wording.empty() ? "empty template" : "";
  for (std::string_view rest = row.wording; !rest.empty() && problem.empty();) {
    if (rest.front() != '{' || rest.starts_with("{{")) {
      const std::size_t length = rest.starts_with("{{") ? 1 : std::min(rest.find('{'), rest.size());
      parsed.ops.push_back({.literal = true, .shape = Shape::text, .text = rest.substr(0, length), .after = {}});
      rest.remove_prefix(rest.starts_with("{{") ? 2 : length);
      continue;
    }
    const std::size_t close = rest.find('}');
    problem = close == std::string_view::npos ? "unclosed hole" : parse_hole(rest.substr(1, close - 1), row, parsed);
    rest.remove_prefix(std::min(close, rest.size() - 1) + 1);
  }
  if (!problem.empty()) errors_.push_back(std::string{problem} + ": " + std::string{row.wording});
  return problem.empty();
}

std::uint32_t Matcher::add_node(std::uint32_t parent, const Op& op) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back().op = op;
  if (op.literal) {
    nodes_[parent].literals.push_back(index);
  } else {
    auto& holes = nodes_[parent].holes;
    holes.insert(
        std::upper_bound(holes.begin(), holes.end(), index,
                         [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].op.shape < nodes_[b].op.shape; }),
        index);
  }
  return index;
}

std::uint32_t Matcher::insert_literal(std::uint32_t parent, std::string_view text) {
  const bool whole = !nodes_[parent].op.literal && nodes_[parent].op.shape == Shape::text;
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
  return add_node(parent, {.literal = true, .shape = Shape::text, .text = text, .after = {}});
}

void Matcher::insert(const Parsed& parsed, const Row& row) {
  std::uint32_t node = 0;
  for (const Op& op : parsed.ops) {
    if (op.literal) {
      node = insert_literal(node, op.text);
      continue;
    }
    const auto& holes = nodes_[node].holes;
    const auto same =
        std::find_if(holes.begin(), holes.end(), [&](std::uint32_t child) { return nodes_[child].op == op; });
    node = same != holes.end() ? *same : add_node(node, op);
  }
  if (nodes_[node].leaf != none) {
    errors_.push_back("two rows of one wording: " + std::string{row.wording});
    return;
  }
  nodes_[node].leaf = static_cast<std::uint32_t>(leaves_.size());
  leaves_.push_back({&row, parsed.bindings});
}

Matcher::Matcher(std::span<const Family> families) {
  nodes_.push_back({});
  for (const Family& family : families) {
    for (const Row& row : family.rows) {
      Parsed parsed;
      if (parse(row, parsed)) insert(parsed, row);
    }
  }
  find_first_bytes(0);
  make_tables();
}

void Matcher::make_tables() {
  constexpr std::size_t many = 3;
  for (Node& node : nodes_) {
    const bool word = !node.op.literal && node.op.shape == Shape::word;
    const bool text = !node.op.literal && node.op.shape == Shape::text;  // its literals may begin alike
    if (text || (!word && node.literals.size() <= many)) continue;
    node.by_byte = static_cast<std::uint32_t>(tables_.size());
    Table& table = tables_.emplace_back();
    table.fill(none);
    for (const std::uint32_t child : node.literals)
      table[static_cast<unsigned char>(nodes_[child].op.text.front())] = child;
  }
  for (const std::uint32_t child : nodes_[0].holes)
    for (std::size_t byte = 0; byte < root_holes_.size(); ++byte)
      if (nodes_[child].first.bytes[byte]) root_holes_[byte].push_back(child);
}

/// Bytes that an op may begin with, and whether it may take nothing.
Matcher::First Matcher::first_of(const Op& op) {
  First first;
  const auto add = [&](std::string_view bytes) {
    for (const char c : bytes) first.bytes.set(static_cast<unsigned char>(c));
  };
  if (op.literal) {
    add(op.text.substr(0, 1));
    return first;
  }
  switch (op.shape) {
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
  first.bytes.set();
  first.may_be_empty = true;
  return first;
}

/// Most holes of a node cannot begin with the byte at hand: to know it saves trying them.
void Matcher::find_first_bytes(std::uint32_t index) {
  First below;
  below.may_be_empty = nodes_[index].leaf != none;
  for (const auto* const children : {&nodes_[index].literals, &nodes_[index].holes}) {
    for (const std::uint32_t child : *children) {
      find_first_bytes(child);
      below.bytes |= nodes_[child].first.bytes;
      below.may_be_empty = below.may_be_empty || nodes_[child].first.may_be_empty;
    }
  }
  First& first = nodes_[index].first;
  first = first_of(nodes_[index].op);
  if (first.may_be_empty) first.bytes |= below.bytes;
  first.may_be_empty = first.may_be_empty && below.may_be_empty;
}

const Matcher::Leaf* Matcher::try_hole(std::uint32_t index, const char* at, std::size_t captures, State& state) const {
  const Node& node = nodes_[index];
  Capture& capture = state.captures[captures];
  const std::size_t next = captures + 1;
  if (!ends_at_next_literal(node.op.shape)) {
    const char* const after = scan(node.op.shape, node.op.text, node.op.after, at, state.end, capture);
    return after != nullptr ? walk(index, after, next, state) : nullptr;
  }
  if (node.op.shape == Shape::word) return try_word(node, at, captures, state);
  const std::string_view rest(at, static_cast<std::size_t>(state.end - at));
  for (const std::uint32_t child : node.literals) {
    const std::string_view literal = nodes_[child].op.text;
    const std::size_t found = rest.find(literal);
    if (found == std::string_view::npos) continue;
    capture.set_text(rest.substr(0, found));
    if (const Leaf* leaf = walk(child, at + found + literal.size(), next, state)) return leaf;
  }
  if (node.leaf == none) return nullptr;
  capture.set_text(rest);
  return &leaves_[node.leaf];
}

/// A word ends at the first byte of what follows it, so that literals after a word can share their beginnings: each
/// byte of the word is looked up once, and only where it stands first.
const Matcher::Leaf* Matcher::try_word(const Node& node, const char* at, std::size_t captures, State& state) const {
  const Table& table = tables_[node.by_byte];
  std::bitset<256> seen;
  const char* end = at;
  for (; end != state.end; ++end) {
    const auto byte = static_cast<unsigned char>(*end);
    const std::uint32_t child = table[byte];
    if (child != none && !seen[byte]) {
      seen.set(byte);
      const std::string_view literal = nodes_[child].op.text;
      if (begins_with(end, state.end, literal)) {
        state.captures[captures].set_text({at, static_cast<std::size_t>(end - at)});
        if (const Leaf* leaf = walk(child, end + literal.size(), captures + 1, state)) return leaf;
      }
    }
    if (byte == ' ') return nullptr;
  }
  if (node.leaf == none || end == at) return nullptr;
  state.captures[captures].set_text({at, static_cast<std::size_t>(end - at)});
  return &leaves_[node.leaf];
}

const Matcher::Leaf* Matcher::walk(std::uint32_t index, const char* at, std::size_t captures, State& state) const {
  // Nearly always one child can begin here: then this is a loop, and only a true choice recurses.
  while (true) {
    const Node& node = nodes_[index];
    if (at == state.end && node.leaf != none) return &leaves_[node.leaf];
    const std::uint32_t literal = literal_child(node, at, state.end);
    std::uint32_t only = literal;
    for (const std::uint32_t child : node.holes) {
      if (!can_begin(nodes_[child].first, at, state.end)) continue;
      if (only != none) return walk_each(node, literal, at, captures, state);
      only = child;
    }
    if (only == none) return nullptr;
    const Op& op = nodes_[only].op;
    if (only == literal) {
      at += op.text.size();
    } else if (ends_at_next_literal(op.shape)) {
      return try_hole(only, at, captures, state);
    } else {
      at = scan(op.shape, op.text, op.after, at, state.end, state.captures[captures]);
      if (at == nullptr) return nullptr;
      ++captures;
    }
    index = only;
  }
}

/// The literal before the holes, narrow holes before wide ones.
const Matcher::Leaf* Matcher::walk_each(const Node& node, std::uint32_t literal, const char* at, std::size_t captures,
                                        State& state) const {
  if (literal != none)
    if (const Leaf* leaf = walk(literal, at + nodes_[literal].op.text.size(), captures, state)) return leaf;
  for (const std::uint32_t child : node.holes)
    if (can_begin(nodes_[child].first, at, state.end))
      if (const Leaf* leaf = try_hole(child, at, captures, state)) return leaf;
  return nullptr;
}

/// The child that begins with the literal at hand; below anything but free text there is at most one.
std::uint32_t Matcher::literal_child(const Node& node, const char* at, const char* end) const {
  if (at == end) return none;
  if (node.by_byte != none) {
    const std::uint32_t child = tables_[node.by_byte][static_cast<unsigned char>(*at)];
    return child != none && begins_with(at, end, nodes_[child].op.text) ? child : none;
  }
  for (const std::uint32_t child : node.literals) {
    const std::string_view text = nodes_[child].op.text;
    if (*at == text.front()) return begins_with(at, end, text) ? child : none;
  }
  return none;
}

bool Matcher::can_begin(const First& first, const char* at, const char* end) {
  return at == end ? first.may_be_empty : first.bytes[static_cast<unsigned char>(*at)];
}

/// Does `rest` end before the rows below `node` do? `literal_bytes` of their own words stood before it.
bool Matcher::ends_within(std::uint32_t index, std::string_view rest, std::size_t literal_bytes) const {
  if (rest.empty()) return literal_bytes >= min_beginning;
  const Node& node = nodes_[index];
  for (const std::uint32_t child : node.literals) {
    const std::string_view text = nodes_[child].op.text;
    if (text.starts_with(rest)) {
      if (literal_bytes + rest.size() >= min_beginning) return true;
    } else if (rest.starts_with(text) && ends_within(child, rest.substr(text.size()), literal_bytes + text.size())) {
      return true;
    }
  }
  return std::any_of(node.holes.begin(), node.holes.end(), [&](std::uint32_t child) {
    if (!can_begin(nodes_[child].first, rest.data(), rest.data() + rest.size())) return false;
    return ends_at_next_literal(nodes_[child].op.shape) ? ends_within_text(child, rest, literal_bytes)
                                                        : ends_within_value(child, rest, literal_bytes);
  });
}

/// The same below a hole of a word or of free text.
bool Matcher::ends_within_text(std::uint32_t index, std::string_view rest, std::size_t literal_bytes) const {
  const bool word = nodes_[index].op.shape == Shape::word;
  if (rest.find(' ') == std::string_view::npos && literal_bytes >= (word ? min_beginning : min_before_text))
    return true;
  for (const std::uint32_t next : nodes_[index].literals) {
    const std::string_view literal = nodes_[next].op.text;
    const std::size_t found = rest.find(literal);
    if (found == std::string_view::npos) continue;
    if (word && rest.substr(0, found).find(' ') != std::string_view::npos) continue;
    if (ends_within(next, rest.substr(found + literal.size()), literal_bytes + literal.size())) return true;
  }
  return false;
}

/// The same below a hole of any other value.
bool Matcher::ends_within_value(std::uint32_t index, std::string_view rest, std::size_t literal_bytes) const {
  const Op& op = nodes_[index].op;
  const char* const end = rest.data() + rest.size();
  Capture ignored;
  const char* const after = scan(op.shape, op.text, op.after, rest.data(), end, ignored);
  if (after != nullptr) return ends_within(index, {after, static_cast<std::size_t>(end - after)}, literal_bytes);
  if (op.shape != Shape::choice || literal_bytes < min_beginning) return false;
  for (std::string_view words = op.text; !words.empty();) {
    const std::size_t bar = std::min(words.find('|'), words.size());
    if (words.substr(0, bar).starts_with(rest)) return true;
    words.remove_prefix(std::min(bar + 1, words.size()));
  }
  return false;
}

bool Matcher::is_beginning(std::string_view message) const { return message.empty() || ends_within(0, message, 0); }

const Row* Matcher::match(std::string_view message, Event& event) const {
  State state;
  state.end = message.data() + message.size();
  const Leaf* leaf = nullptr;
  if (!message.empty()) {
    const std::uint32_t first = literal_child(nodes_[0], message.data(), state.end);
    if (first != none) leaf = walk(first, message.data() + nodes_[first].op.text.size(), 0, state);
    const auto& holes = root_holes_[static_cast<unsigned char>(message.front())];
    for (auto hole = holes.begin(); leaf == nullptr && hole != holes.end(); ++hole)
      leaf = try_hole(*hole, message.data(), 0, state);
  }
  if (leaf == nullptr) {
    event.emplace<Unrecognized>();
    return nullptr;
  }
  void* const made = leaf->row->kind->emplace(event);
  for (const Binding& binding : leaf->bindings) binding.set(made, state.captures[binding.capture]);
  if (leaf->row->kind->set_wording != nullptr) leaf->row->kind->set_wording(made, leaf->row->wording);
  return leaf->row;
}

const Matcher& standard_matcher() {
  static const Matcher matcher{all_families()};
  return matcher;
}

}  // namespace nccl_analyze
