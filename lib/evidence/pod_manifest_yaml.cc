// Reads the YAML of `kubectl get pod -o yaml` and of files for `kubectl apply`, line by line: the keys of mappings by
// their indentation, lists, and mappings and lists in braces on one line. Anchors, aliases, templates of Helm and
// braces over several lines are not read. If one of these replaces a value that is needed, the manifest counts as
// incomplete. No library is used: libyaml gives up at the first line that is no YAML, and with it all that follows,
// and needs this reader's knowledge of lines beside it, because lines of a log may follow.

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "evidence/formats.h"
#include "evidence/manifest_walk.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_depth = 32;
constexpr std::size_t none = std::string_view::npos;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == none ? std::string_view{} : text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

std::string_view unquoted(std::string_view text) {
  const bool is_quoted =
      text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

std::string_view without_comment(std::string_view text) {
  if (text.starts_with('#')) return {};
  if (text.starts_with('"') || text.starts_with('\'')) {
    const std::size_t end = text.find(text.front(), 1);
    return end == none ? text : text.substr(0, end + 1);
  }
  return trimmed(text.substr(0, text.find(" #")));
}

/// Whether the text begins with a template of Helm or Jinja.
bool is_template(std::string_view text) { return text.starts_with("{{") || text.starts_with("{%"); }

/// Whether a value continues in the lines below: a block of text, an anchor, or quotes or braces that are not closed.
bool has_more_lines(std::string_view value) {
  const char first = value.front(), last = value.back();
  const bool is_quoted = first == '"' || first == '\'';
  if (is_quoted) return value.size() < 2 || last != first;
  if (first == '{') return last != '}';
  if (first == '[') return last != ']';
  return first == '|' || first == '>' || first == '&';
}

struct KeyAndValue {
  std::string_view key, value;
};

/// Splits `key: value`, and removes quotes from the key and a comment from the value. The key is empty if the text does
/// not have this form.
KeyAndValue split(std::string_view text) {
  std::size_t from = 0;
  if (text.starts_with('"') || text.starts_with('\'')) from = text.find(text.front(), 1);
  for (std::size_t at = text.find(':', from); at != none; at = text.find(':', at + 1))
    if (at + 1 == text.size() || text[at + 1] == ' ')
      return {unquoted(trimmed(text.substr(0, at))), without_comment(trimmed(text.substr(at + 1)))};
  return {};
}

/// Splits the contents of braces at the commas outside of inner braces. Empty parts are dropped.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (c != ',' || (depth > 0 && at < text.size())) continue;
    if (const std::string_view part = trimmed(text.substr(begin, at - begin)); !part.empty()) parts.push_back(part);
    begin = at + 1;
  }
  return parts;
}

bool is_top_level(std::string_view key) {
  constexpr std::array<std::string_view, 6> keys = {"apiVersion", "kind", "metadata", "spec", "status", "items"};
  return std::ranges::find(keys, key) != keys.end();
}

class Manifest : public Document {
 public:
  bool read(std::string_view line, Facts& facts) override {
    walk_.set_output(facts);
    const std::size_t indent = line.find_first_not_of(' ');
    const std::string_view text = indent == none ? std::string_view{} : trimmed(line.substr(indent));
    if (closed_ || text.starts_with("- apiVersion:")) return false;
    if (text.empty()) return true;
    if (text.starts_with('#')) return indent > 0;
    if (indent > scalar_indent_) return true;  // continues the value of an earlier line
    if (indent == 0 ? !is_part_of_object(text) : !is_node(text) || !fits(indent)) {
      closed_ = true;
      walk_.end(last_);
      return false;
    }
    scalar_indent_ = std::numeric_limits<std::size_t>::max();
    last_ = here();
    read_node(text, indent);
    return true;
  }
  bool ended() const override { return false; }
  bool is_one_block() const override { return true; }
  std::size_t max_foreign_lines() const override { return 0; }
  void finish(Facts& facts) override {
    walk_.set_output(facts);
    walk_.end(last_);
  }

 private:
  /// Whether a line without indentation belongs to the current object. A second `apiVersion` begins another object.
  bool is_part_of_object(std::string_view text) {
    const std::string_view key = split(text).key;
    if (key == "apiVersion" && has_version_) return false;
    has_version_ = has_version_ || key == "apiVersion";
    return is_top_level(key);
  }

  /// Whether an indented line is a key, an item of a list, a template or a closing brace.
  static bool is_node(std::string_view text) {
    // Keys of Kubernetes do not contain these characters, but lines of other programs do.
    constexpr std::string_view other = "()\"' ";
    const std::string_view key = split(text).key;
    const bool is_key = !key.empty() && key.find_first_of(other) == none;
    return is_key || text == "-" || text.starts_with("- ") || is_template(text) || text.find_first_of("}]") == 0;
  }

  /// Whether a line with this indentation may follow: as a child of the key on the previous line, or with the same
  /// indentation as a key above.
  bool fits(std::size_t indent) const {
    return is_open_key_ || columns_.empty() || std::ranges::find(columns_, indent) != columns_.end();
  }

  /// Leaves the keys and items that begin in this column or to the right of it. A list may begin in the column of its
  /// key; `is_item`: whether the line is an item, which leaves such a key open.
  void leave(std::size_t indent, bool is_item = false) {
    while (!columns_.empty() &&
           (columns_.back() > indent || (columns_.back() == indent && (!is_item || walk_.is_in_list()))))
      pop();
  }

  void pop() {
    walk_.leave();
    columns_.pop_back();
  }

  void read_node(std::string_view text, std::size_t indent) {
    if (is_template(text)) return read_template(indent);
    is_open_key_ = false;
    if (text != "-" && !text.starts_with("- ")) return read_key(text, indent);
    leave(indent, true);
    add_item(indent);
    const std::string_view rest = without_comment(trimmed(text.substr(1)));
    is_open_key_ = rest.empty();
    if (rest.empty()) return;
    const bool is_mapping = !rest.starts_with('{') && !rest.starts_with('[') && !split(rest).key.empty();
    if (is_mapping) return read_key(rest, indent + static_cast<std::size_t>(rest.data() - text.data()));
    read_value(rest, indent);
    if (has_more_lines(rest)) scalar_indent_ = indent;
  }

  /// A line that is a template may become keys or items in its column or to the right of it. The lines below it
  /// continue those above it.
  void read_template(std::size_t indent) {
    const auto around = std::ranges::count_if(columns_, [&](std::size_t column) { return column < indent; });
    walk_.leave_out(static_cast<std::size_t>(around), last_);
  }

  void read_key(std::string_view text, std::size_t indent) {
    leave(indent);
    const KeyAndValue found = split(text);
    if (found.key.empty()) return;
    walk_.enter_member(found.key);
    columns_.push_back(indent);
    is_open_key_ = found.value.empty();
    if (found.value.empty()) return;
    read_value(found.value, indent);
    if (has_more_lines(found.value)) scalar_indent_ = indent;
  }

  void read_value(std::string_view value, std::size_t indent) {
    const char first = value.front(), last = value.back();
    const bool is_mapping = first == '{' && last == '}' && !is_template(value), is_list = first == '[' && last == ']';
    if (columns_.size() >= max_depth) return walk_.leave_out(walk_.depth(), last_);
    if (is_mapping || is_list) {
      const std::size_t depth = columns_.size();
      for (const std::string_view part : parts_of(value.substr(1, value.size() - 2))) {
        while (columns_.size() > depth) pop();
        if (is_mapping) {
          read_key(part, indent + 1);
          continue;
        }
        add_item(indent + 1);
        read_value(part, indent + 1);
      }
      while (columns_.size() > depth) pop();
    } else if (first == '{' || first == '[' || first == '&' || first == '*' || first == '!') {
      walk_.leave_out(walk_.depth(), last_);
    } else {
      walk_.add(unquoted(value), last_);
    }
  }

  void add_item(std::size_t indent) {
    walk_.enter_item();
    columns_.push_back(indent);
  }

  Facts unused_;
  ManifestWalk walk_{unused_};
  std::vector<std::size_t> columns_;  ///< Where the keys and items on the way to the current line begin.
  SourceQuote last_;                  ///< The current line; for finish(), the last line.
  /// Lines with a greater indentation continue the value of an earlier line.
  std::size_t scalar_indent_ = std::numeric_limits<std::size_t>::max();
  bool has_version_ = false, closed_ = false;
  bool is_open_key_ = true;  ///< Whether the previous line is a key whose value is in deeper lines.
};

}  // namespace

/// The value in the first line must be one word, because other programs print lines that begin with the same key.
std::unique_ptr<Document> begin_pod_manifest(std::string_view line) {
  const std::string_view value = split(line).value;
  if (value.empty() || value.find(' ') != none) return nullptr;
  return std::make_unique<Manifest>();
}

}  // namespace nccl_analyze::evidence
