#include "text/lines.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace nccl_analyze {

namespace {

/// All markers are a letter, then `CC` or `cc`.
constexpr std::size_t pair_offset = 1;

bool is_marker(std::string_view text) {
  switch (text.empty() ? '\0' : text.front()) {
    case 'N':
      return text.starts_with("NCCL ");
    case 'R':
      return text.starts_with("RCCL version ");
    case 'n':
      return text.starts_with("nccl==");
    default:
      return false;
  }
}

#if defined(__SSE2__)
__m128i load(const char* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }

/// Bytes where "cc" begins, in either case, as 0xff. The pair is rare enough to make the full compare cheap.
__m128i pairs_at(const char* at) {
  const __m128i small = _mm_set1_epi8(0x20);
  const __m128i wanted = _mm_set1_epi8('c');
  return _mm_and_si128(_mm_cmpeq_epi8(_mm_or_si128(load(at), small), wanted),
                       _mm_cmpeq_epi8(_mm_or_si128(load(at + 1), small), wanted));
}

/// The marker whose pair is in the 16 positions from `start` on, itself not before `from`; npos when there is none.
std::size_t marker_in_block(std::string_view text, std::size_t start, std::size_t from) {
  auto hits = static_cast<unsigned>(_mm_movemask_epi8(pairs_at(text.data() + start)));
  for (; hits != 0; hits &= hits - 1) {
    const std::size_t pair = start + static_cast<std::size_t>(std::countr_zero(hits));
    if (pair >= from + pair_offset && is_marker(text.substr(pair - pair_offset))) return pair - pair_offset;
  }
  return std::string_view::npos;
}
#endif

}  // namespace

std::size_t find_marker(std::string_view text, std::size_t from) {
#if defined(__SSE2__)
  constexpr std::size_t block = 17;  // 16 positions, and the byte after each
  constexpr std::size_t stride = 64;
  if (text.size() >= block && from <= text.size() - block) {
    // In a dense log the marker is near: look block by block before going over long gaps in strides.
    const std::size_t near_end = std::min(from + stride, text.size() - block + 1);
    std::size_t start = from;
    for (; start < near_end; start += 16)
      if (const std::size_t hit = marker_in_block(text, start, from); hit != std::string_view::npos) return hit;
    for (; start + stride + 1 <= text.size(); start += stride) {
      const char* at = text.data() + start;
      const __m128i any = _mm_or_si128(_mm_or_si128(pairs_at(at), pairs_at(at + 16)),
                                       _mm_or_si128(pairs_at(at + 32), pairs_at(at + 48)));
      if (_mm_movemask_epi8(any) == 0) continue;
      for (std::size_t part = 0; part < stride; part += 16)
        if (const std::size_t hit = marker_in_block(text, start + part, from); hit != std::string_view::npos)
          return hit;
    }
    while (true) {  // the last block is moved back to end with the text
      start = std::min(start, text.size() - block);
      if (const std::size_t hit = marker_in_block(text, start, from); hit != std::string_view::npos) return hit;
      if (start + block == text.size()) return std::string_view::npos;
      start += 16;
    }
  }
#endif
  for (std::size_t pair = from + pair_offset; pair < text.size(); ++pair)
    if ((text[pair] | 0x20) == 'c' && is_marker(text.substr(pair - pair_offset))) return pair - pair_offset;
  return std::string_view::npos;
}

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

std::size_t count_newlines(std::string_view text) {
  std::size_t count = 0, at = 0;
#if defined(__SSE2__)
  // Matches are -1: subtracting them counts in bytes, which are summed before they can overflow.
  const __m128i newline = _mm_set1_epi8('\n');
  __m128i sums = _mm_setzero_si128();
  while (at + 16 <= text.size()) {
    __m128i bytes = _mm_setzero_si128();
    for (int round = 0; round < 255 && at + 16 <= text.size(); ++round, at += 16)
      bytes = _mm_sub_epi8(bytes, _mm_cmpeq_epi8(load(text.data() + at), newline));
    sums = _mm_add_epi64(sums, _mm_sad_epu8(bytes, _mm_setzero_si128()));
  }
  count = static_cast<std::size_t>(_mm_cvtsi128_si64(sums)) +
          static_cast<std::size_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(sums, sums)));
#endif
  return count + static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), '\n'));
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
