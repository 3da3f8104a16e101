#pragma once
// Operations on 16 bytes in a vector register, with the baseline instructions of x86-64 and AArch64. They are for words
// and short texts; the loops over whole logs are in text/line_scan.h.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace nccl_analyze {

/// A vector type of GCC and Clang. Operators work on each byte, and comparisons result in 0xff or 0.
using Bytes16 [[gnu::vector_size(16)]] = unsigned char;

[[gnu::always_inline]] inline Bytes16 load_16(const char* from) {
  Bytes16 bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

[[gnu::always_inline]] inline Bytes16 splat(char c) { return Bytes16{} + static_cast<unsigned char>(c); }

[[gnu::always_inline]] inline Bytes16 is(Bytes16 a, Bytes16 b) { return reinterpret_cast<Bytes16>(a == b); }
[[gnu::always_inline]] inline Bytes16 is(Bytes16 bytes, char c) { return is(bytes, splat(c)); }

/// Compares each byte with the range of `count` values that starts at `first`.
[[gnu::always_inline]] inline Bytes16 in_range(Bytes16 bytes, char first, char count) {
  return reinterpret_cast<Bytes16>(bytes - splat(first) < splat(count));
}

/// The result of a comparison as a bit mask.
class ByteMask {
 public:
  [[gnu::always_inline]] explicit ByteMask(Bytes16 compared) : bits_(bits_of(compared)) {}

  [[gnu::always_inline]] bool none() const { return bits_ == 0; }
  [[gnu::always_inline]] bool all() const { return bits_ == ~std::uint64_t{0} >> (64 - 16 * width); }
  /// Index of the first true byte; there must be one.
  [[gnu::always_inline]] std::size_t first() const { return static_cast<std::size_t>(std::countr_zero(bits_)) / width; }
  /// Index of the last true byte; there must be one.
  [[gnu::always_inline]] std::size_t last() const {
    return static_cast<std::size_t>(std::bit_width(bits_) - 1) / width;
  }
  /// Number of true bytes before the first false byte.
  [[gnu::always_inline]] std::size_t before_first_false() const {
    return static_cast<std::size_t>(std::countr_one(bits_)) / width;
  }

 private:
#if defined(__SSE2__)
  static constexpr std::size_t width = 1;
  [[gnu::always_inline]] static std::uint32_t bits_of(Bytes16 compared) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(compared)));
  }
  std::uint32_t bits_;
#elif defined(__ARM_NEON)
  static constexpr std::size_t width = 4;  // NEON has no movemask; a narrowing shift leaves four bits of each byte
  [[gnu::always_inline]] static std::uint64_t bits_of(Bytes16 compared) {
    const uint8x8_t halves = vshrn_n_u16(vreinterpretq_u16_u8(reinterpret_cast<uint8x16_t>(compared)), 4);
    return vget_lane_u64(vreinterpret_u64_u8(halves), 0);
  }
  std::uint64_t bits_;
#else
  static constexpr std::size_t width = 1;
  static std::uint32_t bits_of(Bytes16 compared) {
    std::uint32_t bits = 0;
    for (unsigned i = 0; i < 16; ++i) bits |= (compared[i] & 1U) << i;
    return bits;
  }
  std::uint32_t bits_;
#endif
};

}  // namespace nccl_analyze
