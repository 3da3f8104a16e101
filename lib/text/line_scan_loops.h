// The loops of line_scan.h, written for `Block`, a run of bytes that is looked at as one. Included once for each
// instruction set, inside a namespace of its own that defines Block and the attribute BLOCK_CODE: hence no #pragma
// once.

/// Bytes where a pair of letters begins that the words' signs hold, in the case that they have there.
struct MarkerPairs {
  static constexpr auto& words = markers;
  BLOCK_CODE static Block::Bytes at(const char* from) {
    const Block::Bytes a = Block::load(from), b = Block::load(from + 1);
    return Block::both(Block::same(a, b), Block::is(Block::small(a), 'c'));
  }
};

struct SignPairs {
  static constexpr auto& words = signs;
  BLOCK_CODE static Block::Bytes at(const char* from) {
    const Block::Bytes a = Block::load(from), b = Block::load(from + 1), small = Block::small(a);
    const Block::Bytes doubled =
        Block::both(Block::same(a, b), Block::either(Block::is(small, 'c'), Block::is(small, 'r')));
    const Block::Bytes before_i = Block::either(Block::is(small, 'x'), Block::is(small, 'k'));
    return Block::either(doubled, Block::both(Block::is(b, 'i'), before_i));
  }
};

/// The word whose pair is among `hits`, at or after `start`, itself not before `from`; npos when there is none.
template <class Pairs>
std::size_t word_of(std::uint32_t hits, std::string_view text, std::size_t start, std::size_t from) {
  for (; hits != 0; hits &= hits - 1) {
    const std::size_t pair = start + static_cast<std::size_t>(std::countr_zero(hits));
    if (const std::size_t word = word_at(Pairs::words, text, pair, from); word != std::string_view::npos) return word;
  }
  return std::string_view::npos;
}

template <class Pairs>
BLOCK_CODE std::size_t find_word(std::string_view text, std::size_t from) {
  constexpr std::size_t block = Block::size + 1;  // the positions, and the byte after each
  if (text.size() < block || from > text.size() - block) {
    for (std::size_t pair = from; pair + 1 < text.size(); ++pair)
      if (const std::size_t word = word_at(Pairs::words, text, pair, from); word != std::string_view::npos) return word;
    return std::string_view::npos;
  }
  std::size_t start = from;
  for (; start + 2 * Block::size + 1 <= text.size(); start += 2 * Block::size) {
    const Block::Bytes low = Pairs::at(text.data() + start), high = Pairs::at(text.data() + start + Block::size);
    if (Block::mask(Block::either(low, high)) == 0) continue;
    std::size_t word = word_of<Pairs>(Block::mask(low), text, start, from);
    if (word == std::string_view::npos) word = word_of<Pairs>(Block::mask(high), text, start + Block::size, from);
    if (word != std::string_view::npos) return word;
  }
  while (true) {  // the last block is moved back to end with the text
    start = std::min(start, text.size() - block);
    const std::size_t word = word_of<Pairs>(Block::mask(Pairs::at(text.data() + start)), text, start, from);
    if (word != std::string_view::npos || start + block == text.size()) return word;
    start += Block::size;
  }
}

BLOCK_CODE std::size_t find_marker(std::string_view text, std::size_t from) {
  return find_word<MarkerPairs>(text, from);
}

BLOCK_CODE std::size_t find_sign(std::string_view text, std::size_t from) { return find_word<SignPairs>(text, from); }

BLOCK_CODE std::size_t count_newlines(std::string_view text) {
  std::size_t count = 0, at = 0;
  for (; at + 2 * Block::size <= text.size(); at += 2 * Block::size)
    count += Block::count(Block::is(Block::load(text.data() + at), '\n'),
                          Block::is(Block::load(text.data() + at + Block::size), '\n'));
  return count + static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), '\n'));
}

/// Bytes that no plain line holds, and those where two capital C stand.
BLOCK_CODE inline Block::Bytes stops_or_pairs(const char* from) {
  const Block::Bytes bytes = Block::load(from);
  const Block::Bytes stops = Block::either(Block::is_control(bytes), Block::is(bytes, '"'));
  return Block::either(stops, Block::both(Block::same(bytes, Block::load(from + 1)), Block::is(bytes, 'C')));
}

BLOCK_CODE bool begins_plain(std::string_view text, PlainLine& line) {
  std::size_t marker = std::string_view::npos;
  std::uint32_t carry = 0;  // whether the byte before the block is a c
  for (std::size_t at = 0; at + Block::size <= text.size(); at += Block::size) {
    if (marker != std::string_view::npos) {  // behind it only capitals make another
      const std::size_t first = at;
      for (; at + 2 * Block::size < text.size(); at += 2 * Block::size) {
        const Block::Bytes low = stops_or_pairs(text.data() + at),
                           high = stops_or_pairs(text.data() + at + Block::size);
        if (Block::mask(Block::either(low, high)) == 0) continue;
        if (Block::mask(low) == 0) at += Block::size;
        break;
      }
      if (at != first) carry = 0;
    }
    const Block::Bytes bytes = Block::load(text.data() + at);
    const std::uint32_t c = Block::mask(Block::is(Block::small(bytes), 'c'));
    const std::uint32_t stops = Block::mask(Block::either(Block::is_control(bytes), Block::is(bytes, '"')));
    const std::uint32_t before_stop = ~stops & (stops - 1U);
    for (std::uint32_t second = c & (c << 1U | carry) & before_stop; second != 0; second &= second - 1) {
      const std::size_t pair = at + static_cast<std::size_t>(std::countr_zero(second)) - 1;
      const std::size_t word = stands_at(text, pair - 1, nccl) ? pair - 1 : word_at(markers, text, pair, 0);
      if (word == std::string_view::npos) continue;
      const bool is_nccl = text[word] == 'N';
      if (marker != std::string_view::npos && !(is_nccl && begins_level(text, word + 5))) continue;
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

constexpr LineScan scan{block_name, &find_marker, &find_sign, &count_newlines, &begins_plain};
