#pragma once
// Words that are looked for in one pass, each by four bytes of it that are rare elsewhere.

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
  std::string_view anchor;  ///< Four ASCII bytes of it.
  int bucket = -1;          ///< See WordSet; -1: that of its anchor's first two bytes.
};

/// Where a word of a set stands in a text.
struct FoundWord {
  std::size_t anchor = std::string_view::npos;  ///< Of its anchor; npos when there is none.
  std::size_t number = 0;                       ///< Which of the set.

  explicit operator bool() const { return anchor != std::string_view::npos; }
};

/// At most 96 words, 16 of a bucket. A position is worth a look when the low halves of its four bytes fit those of some
/// anchor, which vector instructions can look up: a table of sixteen entries for each of the four bytes, and in an
/// entry a bit for each bucket of words. Words whose anchors' first two bytes have the same low halves share one of the
/// eight buckets. A larger set says itself which words share one: then positions fit where halves of different anchors
/// meet, so that those should go together whose halves are alike.
class WordSet {
 public:
  constexpr WordSet(std::initializer_list<Word> words) : WordSet(std::span(words.begin(), words.size())) {}
  /// The texts must live as long as the set.
  constexpr explicit WordSet(std::span<const Word> words) {
    std::array<std::uint8_t, 256> bucket_of{};  // from 1
    std::uint8_t buckets = 0;
    for (const Word& word : words) {
      words_.at(count_) = word.text;
      offsets_.at(count_) = static_cast<std::uint8_t>(word.text.find(word.anchor));
      std::uint8_t& bucket = bucket_of.at(16 * low_half(word.anchor.at(0)) + low_half(word.anchor.at(1)));
      if (word.bucket >= 0) bucket = static_cast<std::uint8_t>(word.bucket + 1);
      if (bucket == 0) bucket = ++buckets;
      Bucket& into = buckets_.at(bucket - 1U);
      const std::uint32_t code = anchor_code(word.anchor.data());
      into.anchors.at(into.size) = code;
      may_be_[slot_of(code) / 64] |= std::uint64_t{1} << slot_of(code) % 64;
      into.words.at(into.size++) = static_cast<std::uint8_t>(count_++);
      for (std::size_t i = 0; i < anchor_size; ++i)
        tables_[i].at(low_half(word.anchor.at(i))) |= static_cast<std::uint8_t>(1U << (bucket - 1U));
    }
  }

  /// By the low half of the anchors' byte `i`.
  const std::uint8_t* table(std::size_t i) const { return tables_[i].data(); }

  /// A bit for each bucket of words that may have their anchors at `at`, where four bytes are.
  std::uint32_t buckets_at(const char* at) const {
    const std::uint32_t half = tables_[0][low_half(at[0])] & tables_[1][low_half(at[1])];  // mostly 0 already
    return half == 0 ? 0 : half & tables_[2][low_half(at[2])] & tables_[3][low_half(at[3])];
  }

  /// The first word that stands whole in `text` with its anchor at `anchor`, where four bytes are.
  FoundWord word_at(std::string_view text, std::size_t anchor) const;

  /// That of the first of the `hits` behind `start` where there is one.
  FoundWord first_of(std::uint64_t hits, std::string_view text, std::size_t start) const;

  std::size_t begin_of(const FoundWord& word) const { return word.anchor - offsets_[word.number]; }

 private:
  static constexpr std::size_t max_words = 96;
  struct Bucket {
    std::size_t size = 0;
    std::array<std::uint32_t, 16> anchors{};
    std::array<std::uint8_t, 16> words{};  ///< Their numbers, ascending.
  };
  static constexpr std::uint32_t anchor_code(const char* at) {
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < anchor_size; ++i) code |= std::uint32_t{static_cast<unsigned char>(at[i])} << 8U * i;
    return code;
  }
  /// Of four bytes, by all their bits.
  static constexpr std::size_t slot_of(std::uint32_t code) { return code * 0x9E3779B1U >> 20U; }
  static constexpr std::size_t low_half(char c) { return static_cast<unsigned char>(c) & 0x0fU; }

  std::size_t count_ = 0;
  std::array<std::string_view, max_words> words_{};
  std::array<std::uint8_t, max_words> offsets_{};  ///< Of the anchors in the words.
  std::array<Bucket, 8> buckets_{};
  std::array<std::array<std::uint8_t, 16>, anchor_size> tables_{};
  std::array<std::uint64_t, 64> may_be_{};  ///< A bit for each slot that an anchor falls into.
};

}  // namespace nccl_analyze
