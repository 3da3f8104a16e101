#include "text/lines.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace nccl_analyze {

namespace {

constexpr std::string_view marker_text = "NCCL ";

std::size_t find_marker_portable(std::string_view text, std::size_t from) { return text.find(marker_text, from); }

}  // namespace

std::size_t find_marker(std::string_view text, std::size_t from) {
#if defined(__SSE2__)
  // A pair of adjacent bytes is rare enough to make the full compare cheap; "CC" is rarer than "NC" in training logs,
  // but "NC" finds the start directly.
  const __m128i n = _mm_set1_epi8('N');
  const __m128i c = _mm_set1_epi8('C');
  while (from + 17 <= text.size()) {
    const char* at = text.data() + from;
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 1));
    auto hits =
        static_cast<unsigned>(_mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(first, n), _mm_cmpeq_epi8(second, c))));
    while (hits != 0) {
      const std::size_t hit = from + static_cast<std::size_t>(std::countr_zero(hits));
      if (text.size() - hit >= marker_text.size() &&
          std::memcmp(text.data() + hit, marker_text.data(), marker_text.size()) == 0)
        return hit;
      hits &= hits - 1;
    }
    from += 16;
  }
#endif
  return find_marker_portable(text, from);
}

std::size_t line_start(std::string_view text) {
  std::size_t end = text.size();
#if defined(__SSE2__)
  const __m128i newline = _mm_set1_epi8('\n');
  for (; end >= 16; end -= 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + end - 16));
    const auto hits = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, newline)));
    if (hits != 0) return end - 16 + static_cast<std::size_t>(std::bit_width(hits));
  }
#endif
  return text.substr(0, end).rfind('\n') + 1;  // npos + 1 is 0
}

std::size_t count_newlines(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

void LineSplitter::pass_over(std::string_view text) {
  counts_.lines += count_newlines(text);
  if (text.size() <= max_line_) return;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    if (end - from > max_line_) ++counts_.truncated;
    from = end + 1;
  }
}

}  // namespace nccl_analyze
