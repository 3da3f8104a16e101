#include "text/lines.h"

#include <algorithm>
#include <bit>
#include <cstddef>

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
