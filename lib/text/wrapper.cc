#include "text/wrapper.h"

#include <algorithm>
#include <charconv>

#include "text/lines.h"

namespace nccl_analyze {

namespace {

constexpr char escape = '\x1b';

/// Length of the escape sequence that begins at text[0] (ECMA-48: CSI, OSC, two-byte).
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

/// End of the JSON string that begins after the quote at text[start - 1]; npos when it is not closed.
std::size_t string_end(std::string_view text, std::size_t start) {
  while (true) {
    start = text.find_first_of("\\\"", start);
    if (start == std::string_view::npos || text[start] == '"') return start;
    start += 2;
  }
}

/// Four hexadecimal digits at `at`; -1 when they are not there.
int code_unit(std::string_view text, std::size_t at) {
  unsigned value = 0;
  if (text.size() < at + 4) return -1;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + at + 4, value, 16);
  return error == std::errc{} && end == text.data() + at + 4 ? static_cast<int>(value) : -1;
}

void append_utf8(std::string& out, unsigned code) {
  const auto byte = [&out](unsigned value) { out.push_back(static_cast<char>(static_cast<unsigned char>(value))); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | code >> 6);
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3f));
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

/// Reads `\uXXXX`, a surrogate pair included, whose `u` is text[at]; returns the position after it. Halves of pairs
/// are bytes that no UTF-8 has: left out.
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

void unescape(std::string_view text, std::string& out) {
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

}  // namespace

std::string_view unwrap_json(std::string_view line, std::string& scratch) {
  if (!line.starts_with("{\"")) return line;
  for (std::size_t open = 1; open < line.size();) {
    const std::size_t end = string_end(line, open + 1);
    if (end == std::string_view::npos) return line;
    const std::string_view inside = line.substr(open + 1, end - open - 1);
    if (find_marker(inside) != std::string_view::npos) {
      unescape(inside, scratch);
      return scratch;
    }
    open = line.find('"', end + 1);
  }
  return line;
}

std::string_view strip_escapes(std::string_view line, std::string& scratch) {
  std::size_t at = line.find(escape);
  if (at == std::string_view::npos) return line;
  scratch.clear();
  std::size_t from = 0;
  while (at != std::string_view::npos) {
    scratch.append(line.substr(from, at - from));
    from = at + escape_length(line.substr(at));
    at = line.find(escape, from);
  }
  if (from < line.size()) scratch.append(line.substr(from));
  return scratch;
}

void read_wrapper(std::string_view before, Origin& origin) {
  if (before.empty()) return;
  const std::size_t carriage = before.rfind('\r');
  if (carriage != std::string_view::npos) before.remove_prefix(carriage + 1);
  const std::size_t last = before.find_last_not_of(' ');
  origin.wrapper = before.substr(0, last + 1);
  constexpr std::string_view pod = "[pod/";
  const std::size_t start = origin.wrapper.find(pod);
  if (start == std::string_view::npos) return;
  const std::string_view rest = origin.wrapper.substr(start + pod.size());
  const std::string_view inside = rest.substr(0, rest.find(']'));
  const std::size_t slash = inside.find('/');
  origin.pod = inside.substr(0, slash);
  if (slash != std::string_view::npos) origin.container = inside.substr(slash + 1);
}

}  // namespace nccl_analyze
