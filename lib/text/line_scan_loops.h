// The loops of line_scan.h with Highway's vectors, one source for all instruction sets. This file has no #pragma once
// because foreach_target.h includes it once for each instruction set.

#include <hwy/highway.h>

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128  // without vectors, bytewise_scan is as fast

HWY_BEFORE_NAMESPACE();
namespace nccl_analyze {
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Block = hn::CappedTag<std::uint8_t, 32>;  // wider vectors would be longer than most lines
using Bytes = hn::Vec<Block>;
using Mask = hn::Mask<Block>;

constexpr Block block;
constexpr std::size_t block_size = hn::MaxLanes(block);
constexpr std::uint64_t all_bits = ~std::uint64_t{0} >> (64 - block_size);

HWY_INLINE Bytes load(const char* from) { return hn::LoadU(block, reinterpret_cast<const std::uint8_t*>(from)); }

HWY_INLINE Mask is(Bytes bytes, char c) { return hn::Eq(bytes, hn::Set(block, static_cast<std::uint8_t>(c))); }

/// Converts a mask to a number; the first byte becomes the lowest bit.
HWY_INLINE std::uint64_t bits_of(Mask mask) {
  std::uint8_t stored[8];
  hn::StoreMaskBits(block, mask, stored);
  std::conditional_t<block_size == 32, std::uint32_t, std::uint16_t> bits;
  std::memcpy(&bits, stored, sizeof bits);
  return bits;
}

/// The nibble tables of a WordSet in vector registers.
struct Anchors {
  Bytes tables[anchor_size];
  Bytes high;  ///< Indexed by the high nibble of the first byte, by which letters, capitals and digits differ.

  HWY_INLINE explicit Anchors(const WordSet& words)
      : tables{hn::LoadDup128(block, words.table(0)), hn::LoadDup128(block, words.table(1)),
               hn::LoadDup128(block, words.table(2)), hn::LoadDup128(block, words.table(3))},
        high(hn::LoadDup128(block, words.high_table())) {}

  HWY_INLINE Bytes look_up(std::size_t i, Bytes bytes) const {
    if constexpr (HWY_ARCH_X86) return hn::TableLookupBytesOr0(tables[i], bytes);  // pshufb ignores bits 4 to 6
    return hn::TableLookupBytesOr0(tables[i], hn::And(bytes, hn::Set(block, 0x8f)));
  }

  /// Returns, for each position of a block, a bitmap of the buckets that may have an anchor there.
  HWY_INLINE Bytes at(const char* from) const {
    const Bytes first = load(from);
    const Bytes of_first = hn::And(look_up(0, first), hn::TableLookupBytes(high, hn::ShiftRight<4>(first)));
    const Bytes of_second = look_up(1, load(from + 1));
    return hn::And(hn::And(of_first, of_second), hn::And(look_up(2, load(from + 2)), look_up(3, load(from + 3))));
  }
};

HWY_INLINE bool none(Bytes hits) { return hn::AllTrue(block, hn::Eq(hits, hn::Zero(block))); }

/// Returns a bitmap of the nonzero bytes.
HWY_INLINE std::uint64_t nonzero_bits(Bytes hits) { return bits_of(hn::Eq(hits, hn::Zero(block))) ^ all_bits; }

/// Finds the first word whose anchor is at a position from `from` to `end`, exclusive. `end` must be at least
/// block_size.
inline FoundWord find_in_blocks(const WordSet& words, const Anchors& anchors, std::string_view text, std::size_t from,
                                std::size_t end) {
  for (; from < end; from += block_size) {
    // the last block overlaps the previous block instead of extending beyond `end`
    from = std::min(from, end - block_size);
    const std::uint64_t hits = nonzero_bits(anchors.at(text.data() + from));
    if (hits == 0) continue;
    if (const FoundWord word = words.first_of(hits, text, from)) return word;
  }
  return {};
}

/// Finds the first word in a text with fewer than block_size anchors from `from` to `end`, in a copy that a block fits
/// into.
inline FoundWord find_in_short(const WordSet& words, std::string_view text, std::size_t from, std::size_t end) {
  if (from >= end) return {};
  char copy[2 * block_size] = {};
  std::memcpy(copy, text.data() + from, text.size() - from);
  const std::uint64_t hits = nonzero_bits(Anchors(words).at(copy));
  return words.first_of(hits & ((std::uint64_t{1} << (end - from)) - 1), text, from);
}

inline FoundWord find(const WordSet& words, std::string_view text, std::size_t from) {
  constexpr std::size_t pair = 2 * block_size;
  const std::size_t end = end_of_anchors(text);
  if (end < from + block_size) [[unlikely]]
    return find_in_short(words, text, from, end);
  const Anchors anchors(words);
  for (; from + 2 * pair <= end; from += 2 * pair) {
    const char* const at = text.data() + from;
    const Bytes a = anchors.at(at), b = anchors.at(at + block_size);
    const Bytes c = anchors.at(at + pair), d = anchors.at(at + pair + block_size);
    if (none(hn::Or(hn::Or(a, b), hn::Or(c, d)))) continue;
    const std::uint64_t low = nonzero_bits(a) | nonzero_bits(b) << block_size;
    const std::uint64_t high = nonzero_bits(c) | nonzero_bits(d) << block_size;
    if (const FoundWord word = words.first_of(low, text, from)) return word;
    if (const FoundWord word = words.first_of(high, text, from + pair)) return word;
  }
  return find_in_blocks(words, anchors, text, from, end);
}

/// Returns 0xff (-1 as a signed byte) for each newline, else 0.
HWY_INLINE Bytes newlines(const char* from) { return hn::VecFromMask(block, is(load(from), '\n')); }

inline std::size_t count_newlines(std::string_view text) {
  constexpr std::size_t stride = 4 * block_size;
  constexpr std::size_t max_strides = 255 / 4;  // each stride adds up to 4 to a byte of `sums`
  if (text.size() < block_size) return bytewise_scan.count_newlines(text);
  std::size_t count = 0, at = 0;
  for (std::size_t strides = text.size() / stride; strides > 0;) {
    const std::size_t some = std::min(strides, max_strides);
    strides -= some;
    Bytes sums = hn::Zero(block);
    for (const std::size_t end = at + some * stride; at != end; at += stride) {
      const char* const from = text.data() + at;
      const Bytes low = hn::Add(newlines(from), newlines(from + block_size));
      const Bytes high = hn::Add(newlines(from + 2 * block_size), newlines(from + 3 * block_size));
      sums = hn::Sub(sums, hn::Add(low, high));
    }
    const hn::Repartition<std::uint64_t, Block> wide;
    count += hn::GetLane(hn::SumOfLanes(wide, hn::SumsOf8(sums)));
  }
  for (; text.size() - at >= block_size; at += block_size)
    count += hn::CountTrue(block, is(load(text.data() + at), '\n'));
  const std::size_t left = text.size() - at;
  if (left == 0) return count;
  const std::uint64_t last = bits_of(is(load(text.data() + text.size() - block_size), '\n'));
  return count + static_cast<std::size_t>(std::popcount(last >> (block_size - left)));
}

/// Finds bytes that a plain line cannot contain: control characters (below 0x20), bytes beyond ASCII (negative as
/// signed bytes) and the double quote (0x22). After `^ 2`, one signed comparison with 0x21 finds them all: the quote
/// becomes 0x20, the blank 0x22, and control characters stay below 0x20.
HWY_INLINE Mask is_stop(Bytes bytes) {
  const hn::RebindToSigned<Block> with_sign;
  const auto mapped = hn::BitCast(with_sign, hn::Xor(bytes, hn::Set(block, 2)));
  return hn::RebindMask(block, hn::Lt(mapped, hn::Set(with_sign, 0x21)));
}

/// Finds the bytes of is_stop(), and the first of two adjacent letters c or C: every marker contains `cc` or `CC`.
HWY_INLINE Mask stops_or_pairs(const char* from) {
  const Bytes small = hn::Set(block, 0x20), bytes = load(from);
  const Mask first = is(hn::Or(bytes, small), 'c'), second = is(hn::Or(load(from + 1), small), 'c');
  return hn::Or(is_stop(bytes), hn::And(first, second));
}

/// Finds the bytes of is_stop(), and the first of two adjacent capital letters C.
HWY_INLINE Mask stops_or_capital_pairs(const char* from) {
  const Bytes bytes = load(from);
  return hn::Or(is_stop(bytes), hn::And(hn::Eq(bytes, load(from + 1)), is(bytes, 'C')));
}

/// Implements begins_plain() for the part from `from`, which is after the first marker. A second record can start only
/// with `NCCL ` in capitals.
HWY_INLINE bool ends_plain(std::string_view text, std::size_t from, std::size_t marker, PlainLine& line) {
  for (; from + 2 * block_size < text.size(); from += 2 * block_size) {
    const char* const at = text.data() + from;
    const Mask low = stops_or_capital_pairs(at), high = stops_or_capital_pairs(at + block_size);
    if (hn::AllFalse(block, hn::Or(low, high))) continue;
    for (std::uint64_t bits = bits_of(low) | bits_of(high) << block_size; bits != 0; bits &= bits - 1) {
      const std::size_t place = from + static_cast<std::size_t>(std::countr_zero(bits));
      if (text[place] != 'C') {
        line = {place, marker};
        return text[place] == '\n';
      }
      if (begins_record(text, place - 1)) return false;
    }
  }
  return false;  // the line ends too close to the end of the chunk; the slow path handles it
}

inline bool begins_plain(std::string_view text, PlainLine& line) {
  std::size_t marker = line.marker;
  if (marker != std::string_view::npos) return ends_plain(text, marker + nccl.size(), marker, line);
  for (std::size_t from = 0; from + block_size < text.size(); from += block_size) {
    for (std::uint64_t bits = bits_of(stops_or_pairs(text.data() + from)); bits != 0; bits &= bits - 1) {
      const std::size_t place = from + static_cast<std::size_t>(std::countr_zero(bits)), word = place - 1;
      if ((text[place] | 0x20) != 'c') {
        line = {place, marker};
        return text[place] == '\n' && marker != std::string_view::npos;
      }
      if (marker != std::string_view::npos ? begins_record(text, word) : other_marker_at(text, word)) return false;
      if (marker == std::string_view::npos && stands_at(text, word, nccl)) marker = word;
    }
    if (marker != std::string_view::npos) return ends_plain(text, from + block_size, marker, line);
  }
  return false;
}

constexpr std::string_view namespace_name = HWY_STR(HWY_NAMESPACE);  // N_AVX2
constexpr LineScan scan{namespace_name.substr(2), &find, &count_newlines, &begins_plain};

}  // namespace HWY_NAMESPACE

template <>
constexpr const LineScan* scan_for<HWY_TARGET> = &HWY_NAMESPACE::scan;

}  // namespace
}  // namespace nccl_analyze
HWY_AFTER_NAMESPACE();

#endif
