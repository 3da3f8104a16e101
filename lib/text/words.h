#pragma once
// Searches for many words in one pass. Each word is found by its anchor: four of its bytes that are rare in other text.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace nccl_analyze {

constexpr std::size_t anchor_size = 4;

struct Word {
  std::string_view text;
  std::string_view anchor;  ///< Four ASCII bytes of `text`.
  int bucket = -1;          ///< 0 to 7; -1: WordSet chooses it by the first two bytes of the anchor.
};

/// An occurrence of a word of a set in a text.
struct FoundWord {
  std::size_t anchor = std::string_view::npos;  ///< Position of the word's anchor; npos: no word was found.
  std::size_t number = 0;                       ///< Index of the word in the set.

  explicit operator bool() const { return anchor != std::string_view::npos; }
};

/// A set of at most 255 words, in eight buckets of at most 32 words. The search is Hyperscan's Teddy algorithm. For
/// each of the four bytes of an anchor, a table maps the byte's low nibble to a bitmap of the buckets that have an
/// anchor with this nibble; one more table does so for the high nibble of the first byte. Five table lookups, combined
/// by AND, give the buckets that may have an anchor at a position. By default, anchors whose first two bytes have equal
/// low nibbles share a bucket. A set that would need more than eight buckets must assign its words to buckets
/// explicitly; anchors with similar nibbles should share a bucket, which keeps false candidates rare.
class WordSet {
 public:
  constexpr WordSet(std::initializer_list<Word> words) : WordSet(std::span(words.begin(), words.size())) {}
  /// The texts must live as long as the set.
  constexpr explicit WordSet(std::span<const Word> words) {
    std::array<std::uint8_t, 256> bucket_of{};  // indexed by two low nibbles; the bucket's number plus 1, or 0 for none
    std::uint8_t buckets = 0;
    for (const Word& word : words) {
      words_.at(count_) = word.text;
      offsets_.at(count_) = static_cast<std::uint8_t>(word.text.find(word.anchor));
      std::uint8_t& bucket = bucket_of.at(16 * low_nibble(word.anchor.at(0)) + low_nibble(word.anchor.at(1)));
      if (word.bucket >= 0) bucket = static_cast<std::uint8_t>(word.bucket + 1);
      if (bucket == 0) bucket = ++buckets;
      Bucket& into = buckets_.at(bucket - 1U);
      const std::uint32_t code = anchor_code(word.anchor.data());
      into.anchors.at(into.size) = code;
      filter_[slot_of(code) / 64] |= std::uint64_t{1} << slot_of(code) % 64;
      into.words.at(into.size++) = static_cast<std::uint8_t>(count_++);
      for (std::size_t i = 0; i < anchor_size; ++i)
        tables_[i].at(low_nibble(word.anchor.at(i))) |= static_cast<std::uint8_t>(1U << (bucket - 1U));
      high_.at(high_nibble(word.anchor.at(0))) |= static_cast<std::uint8_t>(1U << (bucket - 1U));
    }
  }

  /// Returns the table for byte `i` of the anchors: 16 bitmaps of buckets, indexed by low nibble.
  const std::uint8_t* table(std::size_t i) const { return tables_[i].data(); }

  /// Returns the table for the first byte of the anchors: bitmaps of buckets, indexed by high nibble.
  const std::uint8_t* high_table() const { return high_.data(); }

  /// Returns a bitmap of the buckets that may have an anchor at `at`, where four bytes must be readable.
  std::uint32_t buckets_at(const char* at) const {
    const std::uint32_t first_two =
        tables_[0][low_nibble(at[0])] & tables_[1][low_nibble(at[1])] & high_[high_nibble(at[0])];  // usually already 0
    return first_two == 0 ? 0 : first_two & tables_[2][low_nibble(at[2])] & tables_[3][low_nibble(at[3])];
  }

  /// Returns the first word of the set that occurs in `text` with its anchor at position `anchor`, which must be at
  /// least four bytes before the end of `text`.
  FoundWord word_at(std::string_view text, std::size_t anchor) const;

  /// Returns the word at the first candidate position that has a word. Bit i of `hits` marks position `start` + i as a
  /// candidate.
  FoundWord first_of(std::uint64_t hits, std::string_view text, std::size_t start) const;

  std::size_t begin_of(const FoundWord& word) const { return word.anchor - offsets_[word.number]; }

 private:
  static constexpr std::size_t max_words = 255;
  struct Bucket {
    std::size_t size = 0;
    std::array<std::uint32_t, 32> anchors{};
    std::array<std::uint8_t, 32> words{};  ///< Indices of the words, ascending.
  };
  static constexpr std::uint32_t anchor_code(const char* at) {
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < anchor_size; ++i) code |= std::uint32_t{static_cast<unsigned char>(at[i])} << 8U * i;
    return code;
  }
  /// Index of the bit in filter_ for an anchor: a multiplicative hash of the anchor's four bytes.
  static constexpr std::size_t slot_of(std::uint32_t code) { return code * 0x9E3779B1U >> 17U; }
  static constexpr std::size_t low_nibble(char c) { return static_cast<unsigned char>(c) & 0x0fU; }
  static constexpr std::size_t high_nibble(char c) { return static_cast<unsigned char>(c) >> 4U; }

  std::size_t count_ = 0;
  std::array<std::string_view, max_words> words_{};
  std::array<std::uint8_t, max_words> offsets_{};  ///< Position of each word's anchor in the word.
  std::array<Bucket, 8> buckets_{};
  std::array<std::array<std::uint8_t, 16>, anchor_size> tables_{};
  std::array<std::uint8_t, 16> high_{};
  std::array<std::uint64_t, 512> filter_{};  ///< Bloom filter of the anchors: 4 KiB, so that few other texts pass.
};

}  // namespace nccl_analyze
