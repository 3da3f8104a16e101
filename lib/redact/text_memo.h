#pragma once
// A cache of texts and their results, because most lines of a log repeat the prefixes and messages of other lines.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze::redact {

/// Each text may be in one of two entries, where it replaces an older text. The number of entries grows with the number
/// of cache misses, because a job may have 100,000 files of a few lines. The cache holds at most 8192 texts of at most
/// 512 bytes, each with its result.
class TextMemo {
 public:
  /// Returns the result that note() stored for this text and place; none if it stored nothing, or if another text has
  /// replaced this one. The result is valid until the next call of note().
  std::optional<std::string_view> find(std::string_view text, std::uint64_t place = 0) const {
    if (entries_.empty() || text.empty()) return std::nullopt;
    const std::uint64_t hash = hash_of(text, place);
    const Entry* const first = entries_.data() + first_of(hash);
    for (const Entry* entry = first; entry != first + ways; ++entry)
      if (entry->hash == hash && entry->place == place && entry->size == text.size() &&
          std::memcmp(entry->bytes.data(), text.data(), text.size()) == 0)
        return std::string_view(entry->bytes).substr(text.size());
    return std::nullopt;
  }

  /// Stores the result of a text that find() has not found.
  void note(std::string_view text, std::string_view made, std::uint64_t place = 0) {
    if (text.empty() || text.size() > longest) return;
    if (++misses_ > entries_.size() && entries_.size() < most) {
      // This drops all texts, which are soon stored again.
      entries_ = std::vector<Entry>(std::max(fewest, std::min(8 * entries_.size(), most)));
    }
    const std::uint64_t hash = hash_of(text, place);
    Entry& entry = entries_[first_of(hash) + misses_ % ways];
    entry.hash = hash;
    entry.place = place;
    entry.size = text.size();
    entry.bytes.assign(text).append(made);
  }

 private:
  struct Entry {
    std::uint64_t hash = 0, place = 0;
    std::size_t size = 0;  ///< The size of the text; 0 if the entry is free.
    std::string bytes;     ///< The text, followed by its result.
  };

  static std::uint64_t word_at(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
  }

  static std::uint64_t hash_of(std::string_view text, std::uint64_t place) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    std::uint64_t hash = (place + text.size()) * odd;
    const auto mix = [&](std::uint64_t word) { hash = (hash ^ hash >> 29U ^ word) * odd; };
    std::size_t at = 0;
    for (; at + sizeof hash <= text.size(); at += sizeof hash) mix(word_at(text.data() + at));
    for (; at < text.size(); ++at) mix(static_cast<unsigned char>(text[at]));
    return hash ^ hash >> 32U;
  }

  std::size_t first_of(std::uint64_t hash) const {
    return static_cast<std::size_t>(hash >> 8U) & (entries_.size() - ways);
  }

  static constexpr std::size_t ways = 2, fewest = 64, most = std::size_t{1} << 13U, longest = 512;
  std::vector<Entry> entries_;  ///< Their number is a power of two, or 0.
  std::size_t misses_ = 0;
};

}  // namespace nccl_analyze::redact
