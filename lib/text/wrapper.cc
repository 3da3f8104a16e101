#include "text/wrapper.h"

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

}  // namespace

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
