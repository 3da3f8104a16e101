// The search of line_scan.h where instructions look up a block of bytes in a table at once. Included like
// line_scan_loops.h, before it.

/// The buckets of words that may have an anchor at a position, for a block of positions.
class Anchors {
 public:
  BLOCK_CODE explicit Anchors(const WordSet& words)
      : tables_{Block::load_table(words.table(0)), Block::load_table(words.table(1)), Block::load_table(words.table(2)),
                Block::load_table(words.table(3))} {}

  BLOCK_CODE Block::Bytes at(const char* from) const {
    return Block::both(Block::both(look_up(0, from), look_up(1, from)),
                       Block::both(look_up(2, from), look_up(3, from)));
  }

 private:
  BLOCK_CODE Block::Bytes look_up(std::size_t i, const char* from) const {
    return Block::look_up(tables_[i], Block::load(from + i));
  }

  Block::Bytes tables_[anchor_size];
};

/// A bit for each byte that is not zero.
BLOCK_CODE std::uint32_t places(Block::Bytes hits) {
  return Block::mask(Block::is(hits, 0)) ^ ~std::uint32_t{0} >> (32 - Block::size);
}

/// As find(), for the places before `end`, at least a block of them.
BLOCK_CODE FoundWord find_in_blocks(const WordSet& words, const Anchors& anchors, std::string_view text,
                                    std::size_t from, std::size_t end) {
  for (; from < end; from += Block::size) {
    from = std::min(from, end - Block::size);  // the last block is moved back to end there
    const std::uint32_t hits = places(anchors.at(text.data() + from));
    if (hits == 0) continue;
    if (const FoundWord word = words.first_of(hits, text, from)) return word;
  }
  return {};
}

BLOCK_CODE FoundWord find(const WordSet& words, std::string_view text, std::size_t from) {
  constexpr std::size_t pair = 2 * Block::size;
  const std::size_t end = end_of_anchors(text);
  if (end < from + Block::size) return find_bytewise(words, text, from);
  const Anchors anchors(words);
  for (; from + 2 * pair <= end; from += 2 * pair) {
    const char* const at = text.data() + from;
    const Block::Bytes a = anchors.at(at), b = anchors.at(at + Block::size);
    const Block::Bytes c = anchors.at(at + pair), d = anchors.at(at + pair + Block::size);
    if (places(Block::either(Block::either(a, b), Block::either(c, d))) == 0) continue;
    const std::uint64_t low = places(a) | std::uint64_t{places(b)} << Block::size;
    const std::uint64_t high = places(c) | std::uint64_t{places(d)} << Block::size;
    if (const FoundWord word = words.first_of(low, text, from)) return word;
    if (const FoundWord word = words.first_of(high, text, from + pair)) return word;
  }
  return find_in_blocks(words, anchors, text, from, end);
}
