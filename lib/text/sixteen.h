#pragma once
// Sixteen bytes looked at as one, with the instructions that every processor of a kind has. For what is too short to be
// worth a call: the loops over whole logs are those of text/line_scan.h.

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

/// The compiler knows operators for it; those that compare give 0xff for true and 0 for false.
using Sixteen [[gnu::vector_size(16)]] = unsigned char;

[[gnu::always_inline]] inline Sixteen load_sixteen(const char* from) {
  Sixteen bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

[[gnu::always_inline]] inline Sixteen all_of(char c) { return Sixteen{} + static_cast<unsigned char>(c); }

[[gnu::always_inline]] inline Sixteen is(Sixteen a, Sixteen b) { return reinterpret_cast<Sixteen>(a == b); }
[[gnu::always_inline]] inline Sixteen is(Sixteen bytes, char c) { return is(bytes, all_of(c)); }

/// Whether they are among the `count` that begin with `first`.
[[gnu::always_inline]] inline Sixteen is_among(Sixteen bytes, char first, char count) {
  return reinterpret_cast<Sixteen>(bytes - all_of(first) < all_of(count));
}

/// Which of sixteen truths hold, as a number: 0 when none does.
class Truths {
 public:
  [[gnu::always_inline]] explicit Truths(Sixteen truths) : bits_(bits_of(truths)) {}

  [[gnu::always_inline]] bool none() const { return bits_ == 0; }
  [[gnu::always_inline]] bool all() const { return bits_ == ~std::uint64_t{0} >> (64 - 16 * width); }
  /// The place of the first that holds; one must.
  [[gnu::always_inline]] std::size_t first() const { return static_cast<std::size_t>(std::countr_zero(bits_)) / width; }
  /// The place of the last that holds; one must.
  [[gnu::always_inline]] std::size_t last() const {
    return static_cast<std::size_t>(std::bit_width(bits_) - 1) / width;
  }
  /// How many hold before the first that does not.
  [[gnu::always_inline]] std::size_t before_first_false() const {
    return static_cast<std::size_t>(std::countr_one(bits_)) / width;
  }

 private:
#if defined(__SSE2__)
  static constexpr std::size_t width = 1;
  [[gnu::always_inline]] static std::uint32_t bits_of(Sixteen truths) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(truths)));
  }
  std::uint32_t bits_;
#elif defined(__ARM_NEON)
  static constexpr std::size_t width = 4;  // NEON has no instruction that takes one bit of each
  [[gnu::always_inline]] static std::uint64_t bits_of(Sixteen truths) {
    const uint8x8_t halves = vshrn_n_u16(vreinterpretq_u16_u8(reinterpret_cast<uint8x16_t>(truths)), 4);
    return vget_lane_u64(vreinterpret_u64_u8(halves), 0);
  }
  std::uint64_t bits_;
#else
  static constexpr std::size_t width = 1;
  static std::uint32_t bits_of(Sixteen truths) {
    std::uint32_t bits = 0;
    for (unsigned i = 0; i < 16; ++i) bits |= (truths[i] & 1U) << i;
    return bits;
  }
  std::uint32_t bits_;
#endif
};

}  // namespace nccl_analyze
