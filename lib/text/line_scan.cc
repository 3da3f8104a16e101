#include "text/line_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace nccl_analyze {

constexpr WordSet markers = {{"NCCL ", "NCCL"}, {"RCCL version ", "RCCL"}, {"nccl==", "nccl"}};

// The numbers say which anchors are looked up together. They were chosen so that what other programs print, mostly
// digits and English, seldom looks like one; `ctest -R instructions` tells what a change costs.
constexpr WordSet signs = {
    {"ImportFromShareable", "ortF", 0},
    {"assert triggered", "ert ", 0},
    {"rror", "rror", 0},
    {"ibverbs: Warning", "rbs:", 0},
    {"GID table", "GID ", 0},
    {"Xid (", "Xid ", 0},
    {"Caught signal", "Caug", 1},
    {"sufficient shared", "suff", 1},
    {"fatal event", "fata", 1},
    {"CUDA driver", "CUDA", 1},
    {"CUDA function", "CUDA", 1},
    {"CUDA out of", "CUDA", 1},
    {"CUDA-capable", "CUDA", 1},
    {"(cliqueSize", "cliq", 1},
    {"cudaIpc", "cuda", 1},
    {"illegal memory", "lleg", 1},
    {"KeyboardInterrupt", "Keyb", 1},
    {"broadcasted by", "oadc", 1},
    {"socketFinalizeAccept", "ketF", 1},
    {"yet initialized", "iali", 2},
    {"ibv_", "ibv_", 2},
    {"valid ", "vali", 2},
    {"InvalidArgument", "vali", 2},
    {"InvalidUsage", "idUs", 2},
    {"least libfabric", "ibfa", 2},
    {"bytes instead of", "ytes", 2},
    {"No IB devices", "ices", 2},
    {"with family", "fami", 2},
    {"ismatch", "isma", 2},
    {"timeout", "imeo", 2},
    {" WARN ", "WARN", 2},
    {"ot completion", "comp", 3},
    {"t compatible with", "comp", 3},
    {"interface found", "foun", 3},
    {"not found", "foun", 3},
    {"remote rails", "mote", 3},
    {"remote peer", "mote", 3},
    {"resources exhausted", "sour", 3},
    {"RLIMIT_MEMLOCK", "T_ME", 3},
    {"LINK connected", "conn", 3},
    {"exitcode", "code", 3},
    {"return code = ", "code", 3},
    {"exited on signal ", " on ", 3},
    {"called after throwing", "owin", 4},
    {"raised the following", "owin", 4},
    {"symbol: nccl", "ol: ", 4},
    {"client socket has", "ket ", 4},
    {"HIP out of", "out ", 4},
    {"] INFO ", "] IN", 4},
    {"Channel ", "nel ", 4},
    {"too old", " old", 5},
    {"OOMKilled", "Kill", 5},
    {"KILL SIGNAL: ", "KILL", 5},
    {"EXIT STRING: ", "STRI", 6},
    {"Killed process ", "Kill", 5},
    {"killed due to memory", "kill", 5},
    {"or was killed", "kill", 5},
    {"oom_kill event", "kill", 5},
    {"oom-kill event", "kill", 5},
    {"IBV_WC_RETRY_EXC", "_EXC", 5},
    {"counter exceeded", " exc", 5},
    {"ailed", "aile", 5},
    {"ailure", "ailu", 5},
    {"Check the IMEX", " IME", 5},
    {"ation fault", "ault", 5},
    {"ouldn't ", "ould", 5},
    {"kernel image", "imag", 6},
    {"eligible prov", "le p", 6},
    {"n supported", "supp", 6},
    {"t supported", "supp", 6},
    {"R-supported", "supp", 6},
    {"unsupported tool", "supp", 6},
    {"watchdog got", "og g", 6},
    {"NCCL ", "NCCL", 7},
    {"NCCL.cpp:", "NCCL", 7},
    {"WorkNCCL(", "NCCL", 7},
    {"RCCL version ", "RCCL", 7},
    {"nccl==", "nccl", 7},
    {"Multiple ranks", "Mult", 7},
    {"Multicast", "Mult", 7},
    {"ould not ", "ould", 7},
    {"etected", "tect", 7},
    {"NET/OFI ", "NET/", 7},
    {"NET/IB ", "NET/", 7},
};

namespace {

constexpr std::string_view nccl = "NCCL ";

/// A place before the text is none: it is beyond its end.
bool stands_at(std::string_view text, std::size_t at, std::string_view word) {
  return at < text.size() && text.size() - at >= word.size() &&
         std::memcmp(text.data() + at, word.data(), word.size()) == 0;
}

/// `at`, if a marker stands there; npos otherwise.
std::size_t marker_at(std::string_view text, std::size_t at) {
  const bool stands = at < text.size() && text.size() - at >= anchor_size && markers.word_at(text, at);
  return stands ? at : std::string_view::npos;
}

/// Levels are capital letters: `NCCL version` inside a record begins no other.
bool begins_level(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= 'A' && text[at] <= 'Z';
}

/// Of the places where an anchor may begin.
std::size_t end_of_anchors(std::string_view text) { return text.size() - std::min(text.size(), anchor_size - 1); }

FoundWord find_bytewise(const WordSet& words, std::string_view text, std::size_t from) {
  for (const std::size_t end = end_of_anchors(text); from < end; ++from) {
    if (words.buckets_at(text.data() + from) == 0) continue;
    if (const FoundWord word = words.word_at(text, from)) return word;
  }
  return {};
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
  /// A control character, a byte that is not ASCII, or a double quote, which stands beside the blank: `^ 2` makes the
  /// two change places.
  static Bytes is_stop(const Bytes& a) {
    return each([&](std::size_t i) { return truth((a[i] ^ 2) <= 0x20 || a[i] >= 0x80); });
  }
  static Bytes both(const Bytes& a, const Bytes& b) {
    return each([&](std::size_t i) { return a[i] & b[i]; });
  }
  static Bytes either(const Bytes& a, const Bytes& b) {
    return each([&](std::size_t i) { return a[i] | b[i]; });
  }
  static Bytes minus(const Bytes& a, const Bytes& b) {
    return each([&](std::size_t i) { return a[i] - b[i]; });
  }
  static std::size_t sum(const Bytes& a) { return std::accumulate(a.begin(), a.end(), std::size_t{0}); }
  static std::uint32_t mask(const Bytes& a) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < size; ++i) bits |= static_cast<std::uint32_t>(a[i] & 1) << i;
    return bits;
  }
};

constexpr auto find = find_bytewise;

#include "text/line_scan_loops.h"

#undef BLOCK_CODE

}  // namespace portable

#if defined(__x86_64__)

namespace ssse3 {

#define BLOCK_CODE __attribute__((target("ssse3")))

constexpr std::string_view block_name = "ssse3";

struct Block {
  static constexpr std::size_t size = 16;
  using Bytes = __m128i;
  BLOCK_CODE static Bytes load(const char* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
  BLOCK_CODE static Bytes load_table(const std::uint8_t* table) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(table));
  }
  /// The table's entry for the low half of each byte; zero for one that is not ASCII.
  BLOCK_CODE static Bytes look_up(Bytes table, Bytes a) { return _mm_shuffle_epi8(table, a); }
  BLOCK_CODE static Bytes is(Bytes a, char c) { return _mm_cmpeq_epi8(a, _mm_set1_epi8(c)); }
  BLOCK_CODE static Bytes same(Bytes a, Bytes b) { return _mm_cmpeq_epi8(a, b); }
  BLOCK_CODE static Bytes small(Bytes a) { return _mm_or_si128(a, _mm_set1_epi8(0x20)); }
  BLOCK_CODE static Bytes is_stop(Bytes a) {
    return _mm_cmpgt_epi8(_mm_set1_epi8(0x21), _mm_xor_si128(a, _mm_set1_epi8(2)));  // of signed bytes
  }
  BLOCK_CODE static Bytes both(Bytes a, Bytes b) { return _mm_and_si128(a, b); }
  BLOCK_CODE static Bytes either(Bytes a, Bytes b) { return _mm_or_si128(a, b); }
  BLOCK_CODE static Bytes minus(Bytes a, Bytes b) { return _mm_sub_epi8(a, b); }
  BLOCK_CODE static std::size_t sum(Bytes a) {
    const Bytes sums = _mm_sad_epu8(a, _mm_setzero_si128());
    return static_cast<std::size_t>(_mm_cvtsi128_si64(sums) + _mm_cvtsi128_si64(_mm_unpackhi_epi64(sums, sums)));
  }
  BLOCK_CODE static std::uint32_t mask(Bytes a) { return static_cast<std::uint32_t>(_mm_movemask_epi8(a)); }
};

#include "text/line_scan_find.h"
#include "text/line_scan_loops.h"

#undef BLOCK_CODE

}  // namespace ssse3

namespace avx2 {

#define BLOCK_CODE __attribute__((target("avx2,popcnt,bmi")))

constexpr std::string_view block_name = "avx2";

struct Block {
  static constexpr std::size_t size = 32;
  using Bytes = __m256i;
  BLOCK_CODE static Bytes load(const char* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
  BLOCK_CODE static Bytes load_table(const std::uint8_t* table) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
  }
  BLOCK_CODE static Bytes look_up(Bytes table, Bytes a) { return _mm256_shuffle_epi8(table, a); }
  BLOCK_CODE static Bytes is(Bytes a, char c) { return _mm256_cmpeq_epi8(a, _mm256_set1_epi8(c)); }
  BLOCK_CODE static Bytes same(Bytes a, Bytes b) { return _mm256_cmpeq_epi8(a, b); }
  BLOCK_CODE static Bytes small(Bytes a) { return _mm256_or_si256(a, _mm256_set1_epi8(0x20)); }
  BLOCK_CODE static Bytes is_stop(Bytes a) {
    return _mm256_cmpgt_epi8(_mm256_set1_epi8(0x21), _mm256_xor_si256(a, _mm256_set1_epi8(2)));
  }
  BLOCK_CODE static Bytes both(Bytes a, Bytes b) { return _mm256_and_si256(a, b); }
  BLOCK_CODE static Bytes either(Bytes a, Bytes b) { return _mm256_or_si256(a, b); }
  BLOCK_CODE static Bytes minus(Bytes a, Bytes b) { return _mm256_sub_epi8(a, b); }
  BLOCK_CODE static std::size_t sum(Bytes a) {
    const __m256i sums = _mm256_sad_epu8(a, _mm256_setzero_si256());
    const __m128i halves = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return static_cast<std::size_t>(_mm_cvtsi128_si64(halves) + _mm_cvtsi128_si64(_mm_unpackhi_epi64(halves, halves)));
  }
  BLOCK_CODE static std::uint32_t mask(Bytes a) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(a)); }
};

#include "text/line_scan_find.h"
#include "text/line_scan_loops.h"

#undef BLOCK_CODE

}  // namespace avx2

#endif

}  // namespace

std::span<const LineScan* const> line_scans() {
#if defined(__x86_64__)
  static constexpr std::array<const LineScan*, 3> scans = {&avx2::scan, &ssse3::scan, &portable::scan};
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0;
  static const bool has_ssse3 = __builtin_cpu_supports("ssse3") != 0;
  return std::span(scans).subspan(has_avx2 ? 0 : has_ssse3 ? 1 : 2);
#else
  static constexpr std::array<const LineScan*, 1> scans = {&portable::scan};
  return scans;
#endif
}

}  // namespace nccl_analyze
