// The loops of line_scan.h in blocks of bytes, by Highway: one source for all instruction sets. foreach_target.h
// includes it once for each, hence no #pragma once.

#include <hwy/highway.h>

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128  // there bytewise_scan is as fast

HWY_BEFORE_NAMESPACE();
namespace nccl_analyze {
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Block = hn::CappedTag<std::uint8_t, 32>;  // wider ones reach beyond the end of most lines
using Bytes = hn::Vec<Block>;
using Truths = hn::Mask<Block>;

constexpr Block block;
constexpr std::size_t block_size = hn::MaxLanes(block);
constexpr std::uint64_t all_bits = ~std::uint64_t{0} >> (64 - block_size);

HWY_INLINE Bytes load(const char* from) { return hn::LoadU(block, reinterpret_cast<const std::uint8_t*>(from)); }

HWY_INLINE Truths is(Bytes bytes, char c) { return hn::Eq(bytes, hn::Set(block, static_cast<std::uint8_t>(c))); }

/// A bit for each, that of the first byte lowest.
HWY_INLINE std::uint64_t bits_of(Truths truths) {
  std::uint8_t stored[8];
  hn::StoreMaskBits(block, truths, stored);
  std::conditional_t<block_size == 32, std::uint32_t, std::uint16_t> bits;
  std::memcpy(&bits, stored, sizeof bits);
  return bits;
}

/// The tables of a set of words.
struct Anchors {
  Bytes tables[anchor_size];

  HWY_INLINE explicit Anchors(const WordSet& words)
      : tables{hn::LoadDup128(block, words.table(0)), hn::LoadDup128(block, words.table(1)),
               hn::LoadDup128(block, words.table(2)), hn::LoadDup128(block, words.table(3))} {}

  HWY_INLINE Bytes look_up(std::size_t i, const char* from) const {
    const Bytes bytes = load(from + i);
    if constexpr (HWY_ARCH_X86) return hn::TableLookupBytesOr0(tables[i], bytes);  // looks at no other bits
    return hn::TableLookupBytesOr0(tables[i], hn::And(bytes, hn::Set(block, 0x8f)));
  }

  /// The buckets of words that may have an anchor at a position, for a block of positions.
  HWY_INLINE Bytes at(const char* from) const {
    return hn::And(hn::And(look_up(0, from), look_up(1, from)), hn::And(look_up(2, from), look_up(3, from)));
  }
};

HWY_INLINE bool none(Bytes hits) { return hn::AllTrue(block, hn::Eq(hits, hn::Zero(block))); }

/// A bit for each byte that is not zero.
HWY_INLINE std::uint64_t places(Bytes hits) { return bits_of(hn::Eq(hits, hn::Zero(block))) ^ all_bits; }

/// As find(), for the places before `end`, at least a block of them.
inline FoundWord find_in_blocks(const WordSet& words, const Anchors& anchors, std::string_view text, std::size_t from,
                                std::size_t end) {
  for (; from < end; from += block_size) {
    from = std::min(from, end - block_size);  // the last block is moved back to end there
    const std::uint64_t hits = places(anchors.at(text.data() + from));
    if (hits == 0) continue;
    if (const FoundWord word = words.first_of(hits, text, from)) return word;
  }
  return {};
}

inline FoundWord find(const WordSet& words, std::string_view text, std::size_t from) {
  constexpr std::size_t pair = 2 * block_size;
  const std::size_t end = end_of_anchors(text);
  if (end < from + block_size) [[unlikely]]
    return bytewise_scan.find(words, text, from);
  const Anchors anchors(words);
  for (; from + 2 * pair <= end; from += 2 * pair) {
    const char* const at = text.data() + from;
    const Bytes a = anchors.at(at), b = anchors.at(at + block_size);
    const Bytes c = anchors.at(at + pair), d = anchors.at(at + pair + block_size);
    if (none(hn::Or(hn::Or(a, b), hn::Or(c, d)))) continue;
    const std::uint64_t low = places(a) | places(b) << block_size, high = places(c) | places(d) << block_size;
    if (const FoundWord word = words.first_of(low, text, from)) return word;
    if (const FoundWord word = words.first_of(high, text, from + pair)) return word;
  }
  return find_in_blocks(words, anchors, text, from, end);
}

/// -1 for each newline.
HWY_INLINE Bytes newlines(const char* from) { return hn::VecFromMask(block, is(load(from), '\n')); }

inline std::size_t count_newlines(std::string_view text) {
  constexpr std::size_t stride = 4 * block_size;
  constexpr std::size_t max_strides = 255 / 4;  // until a byte of the sums may be full
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

/// Bytes that no plain line holds: controls, those that are not ASCII, and the double quote, which stands beside the
/// blank: `^ 2` makes the two change places.
HWY_INLINE Truths is_stop(Bytes bytes) {
  const hn::RebindToSigned<Block> with_sign;
  const auto moved = hn::BitCast(with_sign, hn::Xor(bytes, hn::Set(block, 2)));
  return hn::RebindMask(block, hn::Lt(moved, hn::Set(with_sign, 0x21)));
}

/// Stops, and where a pair of the letter c stands: every marker has one.
HWY_INLINE Truths stops_or_pairs(const char* from) {
  const Bytes small = hn::Set(block, 0x20), bytes = load(from);
  const Truths first = is(hn::Or(bytes, small), 'c'), second = is(hn::Or(load(from + 1), small), 'c');
  return hn::Or(is_stop(bytes), hn::And(first, second));
}

/// The same of capitals.
HWY_INLINE Truths stops_or_capital_pairs(const char* from) {
  const Bytes bytes = load(from);
  return hn::Or(is_stop(bytes), hn::And(hn::Eq(bytes, load(from + 1)), is(bytes, 'C')));
}

/// Behind the first marker, from `from` on: only capitals make another.
HWY_INLINE bool ends_plain(std::string_view text, std::size_t from, std::size_t marker, PlainLine& line) {
  for (; from + 2 * block_size < text.size(); from += 2 * block_size) {
    const char* const at = text.data() + from;
    const Truths low = stops_or_capital_pairs(at), high = stops_or_capital_pairs(at + block_size);
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
  return false;  // too near the end: the careful way reads it
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
