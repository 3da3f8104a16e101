#include "text/line_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace nccl_analyze {

namespace {

/// A word with a pair of letters that is rare in other lines: `pair` says where in the word.
struct Sign {
  std::string_view word;
  std::size_t pair;
};

constexpr std::array markers = {Sign{"NCCL ", 1}, Sign{"RCCL version ", 1}, Sign{"nccl==", 1}};

/// These, and those of lines that are not NCCL's own and yet tell what became of the job; lib/messages/outside.cc reads
/// them.
constexpr std::array signs = {
    Sign{"NCCL ", 1},
    Sign{"RCCL version ", 1},
    Sign{"nccl==", 1},
    Sign{"NCCL.cpp:", 1},
    Sign{"WorkNCCL(", 5},
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

/// Bytes that follow a pair in some word: to look there first rules most pairs out.
constexpr std::array<bool, 256> behind_pair = [] {
  std::array<bool, 256> known{};
  for (const Sign& sign : signs) known[static_cast<unsigned char>(sign.word[sign.pair + 2])] = true;
  return known;
}();

/// Where in `text` the word begins whose pair stands at `pair`, if that is not before `from`.
template <std::size_t count>
std::size_t word_at(const std::array<Sign, count>& words, std::string_view text, std::size_t pair, std::size_t from) {
  if (pair + 2 >= text.size() || !behind_pair[static_cast<unsigned char>(text[pair + 2])]) return text.npos;
  for (const Sign& sign : words)
    if (text[pair] == sign.word[sign.pair] && text[pair + 2] == sign.word[sign.pair + 2] && pair >= from + sign.pair &&
        text.substr(pair - sign.pair).starts_with(sign.word))
      return pair - sign.pair;
  return text.npos;
}

constexpr std::string_view nccl = "NCCL ";

/// A place before the text is none: it is beyond its end.
bool stands_at(std::string_view text, std::size_t at, std::string_view word) {
  return at < text.size() && text.size() - at >= word.size() &&
         std::memcmp(text.data() + at, word.data(), word.size()) == 0;
}

/// Levels are capital letters: `NCCL version` inside a record begins no other.
bool begins_level(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= 'A' && text[at] <= 'Z';
}

namespace portable {

#define BLOCK_CODE

constexpr std::string_view block_name = "portable";

struct Block {
  static constexpr std::size_t size = 16;
  using Bytes = std::array<unsigned char, size>;  ///< As truth values 0 or 0xff.

  template <class Operation>
  static Bytes each(Operation&& operation) {
    Bytes result;
    for (std::size_t i = 0; i < size; ++i) result[i] = static_cast<unsigned char>(operation(i));
    return result;
  }
  static int truth(bool value) { return value ? 0xff : 0; }

  static Bytes load(const char* from) {
    return each([&](std::size_t i) { return from[i]; });
  }
  static Bytes is(const Bytes& a, char c) {
    return each([&](std::size_t i) { return truth(a[i] == static_cast<unsigned char>(c)); });
  }
  static Bytes same(const Bytes& a, const Bytes& b) {
    return each([&](std::size_t i) { return truth(a[i] == b[i]); });
  }
  static Bytes small(const Bytes& a) {
    return each([&](std::size_t i) { return a[i] | 0x20; });
  }
  static Bytes is_control(const Bytes& a) {
    return each([&](std::size_t i) { return truth(a[i] < 0x20); });
  }
  static Bytes both(const Bytes& a, const Bytes& b) {
    return each([&](std::size_t i) { return a[i] & b[i]; });
  }
  static Bytes either(const Bytes& a, const Bytes& b) {
    return each([&](std::size_t i) { return a[i] | b[i]; });
  }
  static std::uint32_t mask(const Bytes& a) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < size; ++i) bits |= static_cast<std::uint32_t>(a[i] & 1) << i;
    return bits;
  }
  static std::size_t count(const Bytes& a, const Bytes& b) {
    return static_cast<std::size_t>(std::popcount(mask(a))) + static_cast<std::size_t>(std::popcount(mask(b)));
  }
};

#include "text/line_scan_loops.h"

#undef BLOCK_CODE

}  // namespace portable

#if defined(__x86_64__)

namespace sse2 {  // every x86-64 has it

#define BLOCK_CODE

constexpr std::string_view block_name = "sse2";

struct Block {
  static constexpr std::size_t size = 16;
  using Bytes = __m128i;
  static Bytes load(const char* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
  static Bytes is(Bytes a, char c) { return _mm_cmpeq_epi8(a, _mm_set1_epi8(c)); }
  static Bytes same(Bytes a, Bytes b) { return _mm_cmpeq_epi8(a, b); }
  static Bytes small(Bytes a) { return _mm_or_si128(a, _mm_set1_epi8(0x20)); }
  static Bytes is_control(Bytes a) { return _mm_cmpeq_epi8(_mm_min_epu8(a, _mm_set1_epi8(0x1f)), a); }
  static Bytes both(Bytes a, Bytes b) { return _mm_and_si128(a, b); }
  static Bytes either(Bytes a, Bytes b) { return _mm_or_si128(a, b); }
  static std::uint32_t mask(Bytes a) { return static_cast<std::uint32_t>(_mm_movemask_epi8(a)); }
  static std::size_t count(Bytes a, Bytes b) {
    const std::uint32_t bits = mask(a) << 16U | mask(b);
    return bits == 0 ? 0 : static_cast<std::size_t>(std::popcount(bits));
  }
};

#include "text/line_scan_loops.h"

#undef BLOCK_CODE

}  // namespace sse2

namespace avx2 {

#define BLOCK_CODE __attribute__((target("avx2,popcnt,bmi")))

constexpr std::string_view block_name = "avx2";

struct Block {
  static constexpr std::size_t size = 32;
  using Bytes = __m256i;
  BLOCK_CODE static Bytes load(const char* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
  BLOCK_CODE static Bytes is(Bytes a, char c) { return _mm256_cmpeq_epi8(a, _mm256_set1_epi8(c)); }
  BLOCK_CODE static Bytes same(Bytes a, Bytes b) { return _mm256_cmpeq_epi8(a, b); }
  BLOCK_CODE static Bytes small(Bytes a) { return _mm256_or_si256(a, _mm256_set1_epi8(0x20)); }
  BLOCK_CODE static Bytes is_control(Bytes a) {
    return _mm256_cmpeq_epi8(_mm256_min_epu8(a, _mm256_set1_epi8(0x1f)), a);
  }
  BLOCK_CODE static Bytes both(Bytes a, Bytes b) { return _mm256_and_si256(a, b); }
  BLOCK_CODE static Bytes either(Bytes a, Bytes b) { return _mm256_or_si256(a, b); }
  BLOCK_CODE static std::uint32_t mask(Bytes a) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(a)); }
  BLOCK_CODE static std::size_t count(Bytes a, Bytes b) {
    return static_cast<std::size_t>(__builtin_popcountll(std::uint64_t{mask(a)} << 32U | mask(b)));
  }
};

#include "text/line_scan_loops.h"

#undef BLOCK_CODE

}  // namespace avx2

#endif

}  // namespace

std::span<const LineScan* const> line_scans() {
#if defined(__x86_64__)
  static constexpr std::array<const LineScan*, 3> scans = {&avx2::scan, &sse2::scan, &portable::scan};
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0;
  return std::span(scans).subspan(has_avx2 ? 0 : 1);
#else
  static constexpr std::array<const LineScan*, 1> scans = {&portable::scan};
  return scans;
#endif
}

}  // namespace nccl_analyze
