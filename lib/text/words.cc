// Checks whether the candidates that the nibble tables of a WordSet find are words.

#include "text/words.h"

#include <bit>
#include <cstring>

namespace nccl_analyze {

FoundWord WordSet::word_at(std::string_view text, std::size_t anchor) const {
  const std::uint32_t there = anchor_code(text.data() + anchor);
  const std::size_t slot = slot_of(there);
  // a false candidate: its nibbles are from several anchors of a bucket
  if ((filter_[slot / 64] >> slot % 64 & 1) == 0) return {};
  for (std::uint32_t fit = buckets_at(text.data() + anchor); fit != 0; fit &= fit - 1) {
    const Bucket& bucket = buckets_[static_cast<std::size_t>(std::countr_zero(fit))];
    for (std::size_t i = 0; i < bucket.size; ++i) {
      if (bucket.anchors[i] != there) continue;
      const std::size_t number = bucket.words[i];
      const std::string_view word = words_[number];
      const std::size_t offset = offsets_[number];
      if (anchor < offset || text.size() - (anchor - offset) < word.size()) continue;
      const char* const begin = text.data() + anchor - offset;
      if (begin[word.size() - 1] == word.back() && std::memcmp(begin, word.data(), word.size()) == 0)
        return {anchor, number};
    }
  }
  return {};
}

FoundWord WordSet::first_of(std::uint64_t hits, std::string_view text, std::size_t start) const {
  for (; hits != 0; hits &= hits - 1) {
    const std::size_t anchor = start + static_cast<std::size_t>(std::countr_zero(hits));
    if (const FoundWord word = word_at(text, anchor)) return word;
  }
  return {};
}

}  // namespace nccl_analyze
