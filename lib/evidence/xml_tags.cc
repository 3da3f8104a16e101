#include "evidence/xml_tags.h"

#include <algorithm>

#include "text/blanks.h"

namespace nccl_analyze::evidence {

std::string_view Tag::text(std::string_view key) const {
  std::string_view rest = attributes;
  while (true) {
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos || equals + 1 >= rest.size()) return {};
    const char quote = rest[equals + 1];
    const std::size_t end = quote == '"' || quote == '\'' ? rest.find(quote, equals + 2) : std::string_view::npos;
    if (end == std::string_view::npos) return {};
    if (trimmed(rest.substr(0, equals)) == key) return rest.substr(equals + 2, end - equals - 2);
    rest.remove_prefix(end + 1);
  }
}

std::uint64_t Tag::hex_number(std::string_view key) const {
  std::uint64_t value = 0;
  return read_hex(text(key), value) ? value : 0;
}

bool is_line_of_tags(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('<')) return false;
  Tags tags(line);
  for (Tag tag; tags.next(tag);)
    if (tags.rest().find_first_not_of(" \t<") == 0) return false;
  return tags.rest().empty();
}

bool Tags::next(Tag& tag) {
  while (true) {
    const std::size_t open = rest_.find('<');
    const std::size_t close = open == std::string_view::npos ? open : rest_.find('>', open);
    if (close == std::string_view::npos) return false;
    std::string_view inside = rest_.substr(open + 1, close - open - 1);
    rest_.remove_prefix(close + 1);
    if (inside.starts_with("!--") || inside.starts_with('?')) continue;
    tag = {};
    if ((tag.closes = inside.starts_with('/'))) inside.remove_prefix(1);
    if ((tag.is_whole = inside.ends_with('/'))) inside.remove_suffix(1);
    const std::size_t name = std::min(inside.find_first_of(" \t\r"), inside.size());
    tag.name = inside.substr(0, name);
    tag.attributes = inside.substr(name);
    return true;
  }
}

}  // namespace nccl_analyze::evidence
