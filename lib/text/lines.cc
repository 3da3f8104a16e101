#include "text/lines.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace nccl_analyze {

namespace {

/// A word with a pair of letters that is rare in other lines: `pair` says where in the word.
struct Sign {
  std::string_view word;
  std::size_t pair;
};

constexpr std::array markers = {Sign{"NCCL ", 1}, Sign{"RCCL version ", 1}, Sign{"nccl==", 1}};

/// Of lines that are not NCCL's own and yet tell what became of the job; lib/messages/outside.cc reads them.
constexpr std::array outside_signs = {
    Sign{"NCCL.cpp:", 1},
    Sign{"WorkNCCL(", 5},
    Sign{"ncclUnhandledCudaError:", 1},
    Sign{"ncclSystemError:", 1},
    Sign{"ncclInternalError:", 1},
    Sign{"ncclInvalid", 1},
    Sign{"ncclRemoteError:", 1},
    Sign{"Error: ", 1},
    Sign{"Last error:", 6},
    Sign{"srun: error: ", 7},
    Sign{"slurmstepd: error: ", 13},
    Sign{"Python error: ", 8},
    Sign{"KeyboardInterrupt", 12},
    Sign{"Xid (", 0},
    Sign{"exitcode", 1},
    Sign{"exited on signal ", 1},
    Sign{"Killed process ", 0},
    Sign{"killed due to memory", 0},
    Sign{"OOMKilled", 3},
    Sign{"oom_kill event", 4},
    Sign{"oom-kill event", 4},
};

/// Where in `text` the word begins whose pair stands at `pair`, if that is not before `from`.
template <std::size_t count>
std::size_t word_at(const std::array<Sign, count>& words, std::string_view text, std::size_t pair, std::size_t from) {
  for (const Sign& sign : words)
    if (pair >= from + sign.pair && text.substr(pair - sign.pair).starts_with(sign.word)) return pair - sign.pair;
  return std::string_view::npos;
}

/// The letters as both functions below compare them.
constexpr char small(char c) { return static_cast<char>(c | 0x20); }

struct Markers {
  static bool is_pair(char a, char b) { return small(a) == 'c' && small(b) == 'c'; }
  static std::size_t word(std::string_view text, std::size_t pair, std::size_t from) {
    return word_at(markers, text, pair, from);
  }
#if defined(__SSE2__)
  static __m128i pairs(__m128i a, __m128i b) {
    const __m128i c = _mm_set1_epi8('c');
    return _mm_and_si128(_mm_cmpeq_epi8(a, c), _mm_cmpeq_epi8(b, c));
  }
#endif
};

struct MarkersAndSigns {
  static bool is_pair(char a, char b) {
    a = small(a);
    b = small(b);
    return (a == b && (a == 'c' || a == 'r')) || (b == 'i' && (a == 'x' || a == 'k'));
  }
  static std::size_t word(std::string_view text, std::size_t pair, std::size_t from) {
    const std::size_t marker = word_at(markers, text, pair, from);
    return marker != std::string_view::npos ? marker : word_at(outside_signs, text, pair, from);
  }
#if defined(__SSE2__)
  static __m128i pairs(__m128i a, __m128i b) {
    const auto is = [](__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
    return _mm_or_si128(_mm_and_si128(_mm_cmpeq_epi8(a, b), _mm_or_si128(is(a, 'c'), is(a, 'r'))),
                        _mm_and_si128(is(b, 'i'), _mm_or_si128(is(a, 'x'), is(a, 'k'))));
  }
#endif
};

#if defined(__SSE2__)
__m128i load(const char* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }

/// Bytes where a pair begins, in either case, as 0xff. Pairs are rare enough to make the full compare cheap.
template <class Words>
__m128i pairs_at(const char* at) {
  const __m128i case_bit = _mm_set1_epi8(0x20);
  return Words::pairs(_mm_or_si128(load(at), case_bit), _mm_or_si128(load(at + 1), case_bit));
}

/// The word whose pair is in the 16 positions from `start` on, itself not before `from`; npos when there is none.
template <class Words>
std::size_t word_in_block(std::string_view text, std::size_t start, std::size_t from) {
  auto hits = static_cast<unsigned>(_mm_movemask_epi8(pairs_at<Words>(text.data() + start)));
  for (; hits != 0; hits &= hits - 1) {
    const std::size_t pair = start + static_cast<std::size_t>(std::countr_zero(hits));
    if (const std::size_t word = Words::word(text, pair, from); word != std::string_view::npos) return word;
  }
  return std::string_view::npos;
}
#endif

template <class Words>
std::size_t find_word(std::string_view text, std::size_t from) {
#if defined(__SSE2__)
  constexpr std::size_t block = 17;  // 16 positions, and the byte after each
  constexpr std::size_t stride = 64;
  if (text.size() >= block && from <= text.size() - block) {
    // In a dense log the next one is near: look block by block before going over long gaps in strides.
    const std::size_t near_end = std::min(from + stride, text.size() - block + 1);
    std::size_t start = from;
    for (; start < near_end; start += 16)
      if (const std::size_t hit = word_in_block<Words>(text, start, from); hit != std::string_view::npos) return hit;
    for (; start + stride + 1 <= text.size(); start += stride) {
      const char* at = text.data() + start;
      const __m128i any = _mm_or_si128(_mm_or_si128(pairs_at<Words>(at), pairs_at<Words>(at + 16)),
                                       _mm_or_si128(pairs_at<Words>(at + 32), pairs_at<Words>(at + 48)));
      if (_mm_movemask_epi8(any) == 0) continue;
      for (std::size_t part = 0; part < stride; part += 16)
        if (const std::size_t hit = word_in_block<Words>(text, start + part, from); hit != std::string_view::npos)
          return hit;
    }
    while (true) {  // the last block is moved back to end with the text
      start = std::min(start, text.size() - block);
      if (const std::size_t hit = word_in_block<Words>(text, start, from); hit != std::string_view::npos) return hit;
      if (start + block == text.size()) return std::string_view::npos;
      start += 16;
    }
  }
#endif
  for (std::size_t pair = from; pair + 1 < text.size(); ++pair) {
    if (!Words::is_pair(text[pair], text[pair + 1])) continue;
    if (const std::size_t word = Words::word(text, pair, from); word != std::string_view::npos) return word;
  }
  return std::string_view::npos;
}

}  // namespace

std::size_t find_marker(std::string_view text, std::size_t from) { return find_word<Markers>(text, from); }

std::size_t find_sign(std::string_view text, std::size_t from) { return find_word<MarkersAndSigns>(text, from); }

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
