// The loops of line_scan.h, written for `Block`, a run of bytes that is looked at as one. Included once for each
// instruction set, inside a namespace of its own that defines Block and the attribute BLOCK_CODE: hence no #pragma
// once.

BLOCK_CODE Block::Bytes newlines(const char* from) { return Block::is(Block::load(from), '\n'); }

BLOCK_CODE std::size_t count_newlines(std::string_view text) {
  constexpr std::size_t stride = 4 * Block::size;
  constexpr std::size_t max_strides = 255 / 4;  // until a byte of the sums may be full
  std::size_t count = 0, at = 0;
  for (std::size_t strides = text.size() / stride; strides > 0;) {
    const std::size_t some = std::min(strides, max_strides);
    strides -= some;
    Block::Bytes sums{};
    for (const std::size_t end = at + some * stride; at != end; at += stride) {
      const char* const from = text.data() + at;
      const Block::Bytes low = Block::minus(Block::minus(sums, newlines(from)), newlines(from + Block::size));
      sums = Block::minus(Block::minus(low, newlines(from + 2 * Block::size)), newlines(from + 3 * Block::size));
    }
    count += Block::sum(sums);
  }
  for (; text.size() - at >= Block::size; at += Block::size)
    count += static_cast<std::size_t>(std::popcount(Block::mask(newlines(text.data() + at))));
  const std::size_t left = text.size() - at;
  if (left == 0) return count;
  if (at == 0) return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const std::uint32_t last = Block::mask(newlines(text.data() + text.size() - Block::size));
  return count + static_cast<std::size_t>(std::popcount(last >> (Block::size - left)));
}

/// Bytes that no plain line holds, and those where two capital C stand.
BLOCK_CODE inline Block::Bytes stops_or_pairs(const char* from) {
  const Block::Bytes bytes = Block::load(from);
  const Block::Bytes stops = Block::is_stop(bytes);
  return Block::either(stops, Block::both(Block::same(bytes, Block::load(from + 1)), Block::is(bytes, 'C')));
}

BLOCK_CODE bool begins_plain(std::string_view text, PlainLine& line) {
  std::size_t marker = line.marker;
  std::uint32_t carry = 0;  // whether the byte before the block is a c
  for (std::size_t at = marker == std::string_view::npos ? 0 : marker + nccl.size(); at + Block::size <= text.size();
       at += Block::size) {
    if (marker != std::string_view::npos && carry == 0) {  // behind it only capitals make another
      for (; at + 2 * Block::size < text.size(); at += 2 * Block::size) {
        const std::uint64_t low = Block::mask(stops_or_pairs(text.data() + at)),
                            high = Block::mask(stops_or_pairs(text.data() + at + Block::size));
        const std::uint64_t places = low | high << Block::size;
        if (places == 0) continue;
        const std::size_t place = at + static_cast<std::size_t>(std::countr_zero(places));
        if (text[place] != 'C') {
          line = {place, marker};
          return text[place] == '\n';
        }
        if (low == 0) at += Block::size;
        break;
      }
      if (at + Block::size > text.size()) break;
    }
    const Block::Bytes bytes = Block::load(text.data() + at);
    const std::uint32_t c = Block::mask(Block::is(Block::small(bytes), 'c'));
    const std::uint32_t stops = Block::mask(Block::is_stop(bytes));
    const std::uint32_t before_stop = ~stops & (stops - 1U);
    for (std::uint32_t second = c & (c << 1U | carry) & before_stop; second != 0; second &= second - 1) {
      const std::size_t pair = at + static_cast<std::size_t>(std::countr_zero(second)) - 1;
      const std::size_t word = stands_at(text, pair - 1, nccl) ? pair - 1 : marker_at(text, pair - 1);
      if (word == std::string_view::npos) continue;
      const bool is_nccl = text[word] == 'N';
      if (marker != std::string_view::npos && !(is_nccl && begins_level(text, word + nccl.size()))) continue;
      if (marker != std::string_view::npos || !is_nccl) return false;
      marker = word;
    }
    if (stops != 0) {
      const std::size_t stop = at + static_cast<std::size_t>(std::countr_zero(stops));
      line = {stop, marker};
      return text[stop] == '\n' && marker != std::string_view::npos;
    }
    carry = c >> (Block::size - 1) & 1U;
  }
  return false;  // too near the end: the careful way reads it
}

constexpr LineScan scan{block_name, find, &count_newlines, &begins_plain};
