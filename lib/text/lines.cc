// Implements the slow paths of LineSplitter. The fast path, next_plain(), is inline in the header.

#include "text/lines.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "text/sixteen.h"

namespace nccl_analyze {

std::size_t line_start(std::string_view text) {
  std::size_t end = text.size();
  for (; end >= 16; end -= 16) {
    const ByteMask newlines(is(load_16(text.data() + end - 16), '\n'));
    if (!newlines.none()) return end - 16 + newlines.last() + 1;
  }
  return text.substr(0, end).rfind('\n') + 1;  // npos + 1 wraps to 0
}

bool is_plain(std::string_view text) {
  std::size_t at = 0;
  const auto plain = [](const char* from) {
    const Bytes16 bytes = load_16(from);
    const Bytes16 controls = is(bytes, '\x1b') | is(bytes, '\0') | is(bytes, '\r') | is(bytes, '\n');
    return ByteMask(controls | is(bytes, '"')).none();
  };
  for (; at + 16 <= text.size(); at += 16)
    if (!plain(text.data() + at)) return false;
  if (at != 0) return at == text.size() || plain(text.data() + text.size() - 16);
  return text.find_first_of(std::string_view{"\x1b\0\r\n\"", 5}, at) == std::string_view::npos;
}

bool LineSplitter::next_kept(bool every_line, Line& line) {
  finished_ = false;
  count_line(kept_size_);
  line = {kept_, counts_.lines};
  line.ends_input = std::exchange(ends_input_, false);
  return every_line || has_keyword(kept_);
}

bool LineSplitter::next_other(bool every_line, Line& line) {
  if (finished_ && next_kept(every_line, line)) return true;
  while (!rest_.empty()) {
    const std::size_t keyword = every_line ? 0 : scan_->find(keywords, rest_, 0).anchor;
    const std::size_t start = keyword == std::string_view::npos ? rest_.size() : line_start(rest_.substr(0, keyword));
    skip_lines(rest_.substr(0, start));
    rest_.remove_prefix(start);
    if (rest_.empty()) break;
    if (start != 0 && next_plain(line)) return true;
    const std::size_t end = rest_.find('\n', keyword - start);
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    count_line(text.size());
    line = {text.substr(0, max_line_), counts_.lines};
    if (every_line || text.size() <= max_line_ || has_keyword(line.text)) return true;
  }
  if (tail_.empty()) return false;
  drop_kept();
  open_ = true;
  keep(std::exchange(tail_, {}));
  return false;
}

void LineSplitter::skip_lines(std::string_view text) {
  counts_.lines += scan_->count_newlines(text);
  if (text.size() <= max_line_) return;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    if (end - from > max_line_) ++counts_.truncated;
    from = end + 1;
  }
}

}  // namespace nccl_analyze
