// Searches for decoration instead of parsing it completely, because a line may be cut anywhere and its JSON may be
// incomplete.

#include "text/decoration.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

#include "text/column_tags.h"
#include "text/encoding.h"
#include "text/lines.h"

namespace nccl_analyze {

namespace {

constexpr char escape = '\x1b';

/// Returns the length of the escape sequence at the start of `text` (ECMA-48: CSI, OSC, two-byte). A sequence without
/// an end extends to the end of `text`.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2) return text.size();
  if (text[1] == '[') {
    for (std::size_t i = 2; i < text.size(); ++i)
      if (text[i] >= '@' && text[i] <= '~') return i + 1;
    return text.size();
  }
  if (text[1] == ']') {
    for (std::size_t i = 2; i < text.size(); ++i) {
      if (text[i] == '\a') return i + 1;
      if (text[i] == escape) return i + (i + 1 < text.size() && text[i + 1] == '\\' ? 2 : 0);
    }
    return text.size();
  }
  return 2;
}

/// Returns the position of the closing quote of the JSON string whose first character is text[start]; npos if there is
/// none.
std::size_t string_end(std::string_view text, std::size_t start) {
  while (true) {
    start = text.find_first_of("\\\"", start);
    if (start == std::string_view::npos || text[start] == '"') return start;
    start += 2;
  }
}

/// Parses four hexadecimal digits at `at`; returns -1 on failure.
int code_unit(std::string_view text, std::size_t at) {
  unsigned value = 0;
  if (text.size() < at + 4) return -1;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + at + 4, value, 16);
  return error == std::errc{} && end == text.data() + at + 4 ? static_cast<int>(value) : -1;
}

/// Decodes the JSON escape `\uXXXX` whose `u` is text[at], or the surrogate pair that begins there. Returns the
/// position after it. Drops a lone surrogate, because UTF-8 cannot encode it. Appends only the `u` of an invalid
/// escape.
std::size_t append_code(std::string& out, std::string_view text, std::size_t at) {
  const int unit = code_unit(text, at + 1);
  if (unit < 0) {
    out.push_back('u');
    return at + 1;
  }
  auto code = static_cast<unsigned>(unit);
  at += 5;
  if (code >= 0xdc00 && code < 0xe000) return at;
  if (code >= 0xd800 && code < 0xdc00) {
    const int low = text.substr(at).starts_with("\\u") ? code_unit(text, at + 2) : -1;
    if (low < 0xdc00 || low >= 0xe000) return at;
    code = 0x10000 + ((code - 0xd800) << 10) + (static_cast<unsigned>(low) - 0xdc00);
    at += 6;
  }
  append_utf8(out, code);
  return at;
}

}  // namespace

void unescape_json(std::string_view text, std::string& out) {
  constexpr std::string_view names = "ntrbf", values = "\n\t\r\b\f";
  out.clear();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t slash = std::min(text.find('\\', at), text.size());
    out.append(text.substr(at, slash - at));
    at = slash + 1;
    if (at >= text.size()) return;
    if (text[at] == 'u') {
      at = append_code(out, text, at);
      continue;
    }
    const std::size_t name = names.find(text[at]);
    out.push_back(name == std::string_view::npos ? text[at] : values[name]);
    ++at;
  }
}

std::string_view unwrap_json(std::string_view line, std::string& scratch) {
  // `open` is the first quote if the line is a JSON object, a member of a pretty-printed object, or a row of quoted
  // cells.
  const std::size_t first = line.find_first_not_of(" \t,[");
  const std::size_t object = line.find("{\"");
  std::size_t open = std::string_view::npos;
  if (first != std::string_view::npos && (line[first] == '"' || line.substr(first).starts_with("{ \"")))
    open = line.find('"', first);
  else if (object != std::string_view::npos && object < find_marker(line))
    open = object + 1;
  while (open < line.size()) {
    const std::size_t end = string_end(line, open + 1);
    if (end == std::string_view::npos) return line;
    const std::string_view inside = line.substr(open + 1, end - open - 1);
    if (find_marker(inside) != std::string_view::npos) {
      unescape_json(inside, scratch);
      return scratch;
    }
    open = line.find('"', end + 1);
  }
  return line;
}

std::string_view json_text(std::string_view line, std::string& scratch) {
  constexpr std::string_view keys[] = {
      "\"log\":", "\"message\":", "\"msg\":", "\"MESSAGE\":", "\"line\":", "\"textPayload\":"};
  for (const std::string_view key : keys) {
    const std::size_t at = line.find(key);
    if (at == std::string_view::npos) continue;
    const std::size_t open = line.find_first_not_of(' ', at + key.size());
    if (open == std::string_view::npos || line[open] != '"') continue;
    const std::size_t end = string_end(line, open + 1);
    if (end == std::string_view::npos) continue;
    unescape_json(line.substr(open + 1, end - open - 1), scratch);
    return scratch;
  }
  return line;
}

std::string_view json_member(std::string_view line, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
      if (at == 0 || line[at - 1] != '"' || !line.substr(at + key.size()).starts_with("\":")) continue;
      const std::size_t open = line.find_first_not_of(' ', at + key.size() + 2);
      if (open == std::string_view::npos || line[open] != '"') continue;
      const std::size_t end = line.find('"', open + 1);
      if (end != std::string_view::npos) return line.substr(open + 1, end - open - 1);
    }
  }
  return {};
}

std::string_view strip_escapes(std::string_view line, std::string& scratch) {
  if (line.find(escape) == std::string_view::npos && line.find('\0') == std::string_view::npos) return line;
  scratch.clear();
  for (std::size_t from = 0; from < line.size();) {
    const std::size_t at = std::min(line.find_first_of(std::string_view{"\x1b\0", 2}, from), line.size());
    scratch.append(line.substr(from, at - from));
    from = at;
    if (from < line.size()) from += line[from] == escape ? escape_length(line.substr(from)) : 1;
  }
  return scratch;
}

namespace {

constexpr std::string_view lost_escapes[] = {"#033", "^[", "\\x1b", "\\u001b", "\\033", "\xef\xbf\xbd"};

}  // namespace

std::string_view strip_bare_colours(std::string_view line, std::string& scratch) {
  constexpr std::string_view reset = "[0m";
  if (!line.ends_with(reset) || line.find(escape) != std::string_view::npos) return line;
  scratch.clear();
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = line[at] == '[' ? line.find_first_not_of("0123456789;", at + 1) : std::string_view::npos;
    if (end == std::string_view::npos || line[end] != 'm') {
      scratch.push_back(line[at++]);
      continue;
    }
    for (const std::string_view escape_text : lost_escapes)
      if (scratch.ends_with(escape_text)) scratch.resize(scratch.size() - escape_text.size());
    at = end + 1;
  }
  return scratch;
}

bool is_partial(std::string_view decoration) {
  return decoration.ends_with(" stdout P ") || decoration.ends_with(" stderr P ");
}

bool same_shape(std::string_view a, std::string_view b) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (in_word(a[i]) != in_word(b[j])) return false;
    if (!in_word(a[i])) {
      if (a[i++] != b[j++]) return false;
      continue;
    }
    while (i < a.size() && in_word(a[i])) ++i;
    while (j < b.size() && in_word(b[j])) ++j;
  }
  return i == a.size() && j == b.size();
}

std::string_view without_decoration_like(std::string_view line, std::string_view decoration) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t at = 0;
  for (std::size_t i = 0; i < decoration.size();) {
    if (at == line.size()) return line;
    if (is_digit(decoration[i]) && is_digit(line[at])) {
      while (i < decoration.size() && is_digit(decoration[i])) ++i;
      while (at < line.size() && is_digit(line[at])) ++at;
      continue;
    }
    const bool last_part = decoration[i] == 'P' && line[at] == 'F' && is_partial(decoration.substr(0, i + 2));
    if (decoration[i] != line[at] && !last_part) return line;
    ++i;
    ++at;
  }
  return line.substr(at);
}

namespace {

/// Finds `[pod/NAME/CONTAINER]`, as kubectl prints it, anywhere in the decoration. Returns whether it was found.
bool read_kubectl_tag(std::string_view decoration, Origin& origin) {
  constexpr std::string_view pod = "[pod/";
  const std::size_t start = decoration.starts_with(pod) ? 0 : decoration.find(pod);
  if (start == std::string_view::npos) return false;
  const std::string_view rest = decoration.substr(start + pod.size());
  const std::string_view inside = rest.substr(0, rest.find(']'));
  const std::size_t slash = inside.find('/');
  origin.pod = inside.substr(0, slash);
  if (slash != std::string_view::npos) origin.container = inside.substr(slash + 1);
  return true;
}

/// Sets the pod and container that are still unknown from labels in braces, as logcli prints them: `{pod="train-0"}`.
void read_labels(std::string_view decoration, Origin& origin) {
  const std::size_t open = decoration.find('{');
  const std::size_t close = decoration.find('}', open);
  if (close == std::string_view::npos) return;
  const std::string_view labels = decoration.substr(open, close - open);
  const auto value_of = [labels](std::string_view name) {
    for (std::size_t at = labels.find(name); at != std::string_view::npos; at = labels.find(name, at + 1)) {
      if (std::string_view{"{, "}.find(labels[at - 1]) == std::string_view::npos) continue;
      const std::string_view rest = labels.substr(at + name.size());
      return rest.substr(0, std::min(rest.find('"'), rest.size()));
    }
    return std::string_view{};
  };
  for (const std::string_view name : {"pod=\"", "pod_name=\"", "kubernetes_pod_name=\""})
    if (origin.pod.empty()) origin.pod = value_of(name);
  for (const std::string_view name : {"container=\"", "container_name=\""})
    if (origin.container.empty()) origin.container = value_of(name);
}

}  // namespace

void read_decoration(std::string_view decoration, Origin& origin) {
  if (decoration.empty()) return;
  if (decoration.find('\r') != std::string_view::npos) decoration.remove_prefix(decoration.rfind('\r') + 1);
  const std::size_t last = decoration.find_last_not_of(' ');
  origin.decoration = decoration.substr(0, last + 1);
  if (read_kubectl_tag(origin.decoration, origin)) return;
  read_column_tags(origin.decoration, origin);
  read_labels(origin.decoration, origin);
}

std::string_view collected_at(const Origin& origin) {
  if (!origin.time.empty()) return origin.time;
  const std::string_view text = origin.decoration;
  const auto is_digit = [text](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  // Finds the first hh:mm:ss, then includes a date before it, and a fraction and time zone after it.
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    if (colon < 2 || !is_digit(colon - 2) || !is_digit(colon - 1) || !is_digit(colon + 1) || !is_digit(colon + 2) ||
        colon + 3 >= text.size() || text[colon + 3] != ':' || !is_digit(colon + 4) || !is_digit(colon + 5))
      continue;
    if (colon > 2 && is_digit(colon - 3)) continue;  // this is the year of `20/Nov/2026:10:00:00`
    std::size_t start = colon - 2, end = colon + 6;
    if (start >= 11 && text[start - 4] == '-' && text[start - 7] == '-' && is_digit(start - 11) &&
        (text[start - 1] == 'T' || text[start - 1] == ' '))
      start -= 11;
    while (end < text.size() && (is_digit(end) || std::string_view{".,+-:Z"}.find(text[end]) != std::string_view::npos))
      ++end;
    while (end > start && std::string_view{".,+-:"}.find(text[end - 1]) != std::string_view::npos) --end;
    return text.substr(start, end - start);
  }
  return {};
}

}  // namespace nccl_analyze
