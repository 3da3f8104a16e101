#include "text/lines.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace nccl_analyze {

namespace {

#if defined(__SSE2__)
__m128i load(const char* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }
#endif

}  // namespace

std::size_t line_start(std::string_view text) {
  std::size_t end = text.size();
#if defined(__SSE2__)
  const __m128i newline = _mm_set1_epi8('\n');
  for (; end >= 16; end -= 16) {
    const auto hits = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(load(text.data() + end - 16), newline)));
    if (hits != 0) return end - 16 + static_cast<std::size_t>(std::bit_width(hits));
  }
#endif
  return text.substr(0, end).rfind('\n') + 1;  // npos + 1 is 0
}

bool is_plain(std::string_view text) {
  std::size_t at = 0;
#if defined(__SSE2__)
  const auto special = [](const char* from) {
    const __m128i bytes = load(from);
    const __m128i controls = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\x1b')), _mm_cmpeq_epi8(bytes, _mm_setzero_si128())),
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'))));
    return _mm_movemask_epi8(_mm_or_si128(controls, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'))));
  };
  for (; at + 16 <= text.size(); at += 16)
    if (special(text.data() + at) != 0) return false;
  if (at != 0) return at == text.size() || special(text.data() + text.size() - 16) == 0;
#endif
  return text.find_first_of(std::string_view{"\x1b\0\r\n\"", 5}, at) == std::string_view::npos;
}

bool LineSplitter::take_kept(bool any, Line& line) {
  finished_ = false;
  count_line(kept_size_);
  line = {kept_, counts_.lines};
  line.ends_input = std::exchange(ends_input_, false);
  return any || has_sign(kept_);
}

bool LineSplitter::take_other(bool any, Line& line) {
  if (finished_ && take_kept(any, line)) return true;
  while (!rest_.empty()) {
    const std::size_t sign = any ? 0 : scan_->find(signs, rest_, 0).anchor;
    const std::size_t start = sign == std::string_view::npos ? rest_.size() : line_start(rest_.substr(0, sign));
    pass_over(rest_.substr(0, start));
    rest_.remove_prefix(start);
    if (rest_.empty()) break;
    if (start != 0 && take_plain(line)) return true;
    const std::size_t end = rest_.find('\n', sign - start);
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    count_line(text.size());
    line = {text.substr(0, max_line_), counts_.lines};
    if (any || text.size() <= max_line_ || has_sign(line.text)) return true;
  }
  if (tail_.empty()) return false;
  drop_kept();
  open_ = true;
  keep(std::exchange(tail_, {}));
  return false;
}

void LineSplitter::pass_over(std::string_view text) {
  counts_.lines += scan_->count_newlines(text);
  if (text.size() <= max_line_) return;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    if (end - from > max_line_) ++counts_.truncated;
    from = end + 1;
  }
}

}  // namespace nccl_analyze
