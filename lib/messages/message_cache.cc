// Implements the hash, the lookup and the growth of the cache.

#include "messages/message_cache.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <variant>

namespace nccl_analyze {

namespace {

std::uint64_t word_at(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// Hashes a few 8-byte words at the start, in the middle and at the end of `text`, where the lines of a topology dump
/// differ. `text` must have at least eight bytes.
std::uint32_t hash_of(std::string_view text) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  std::uint64_t hash = (word_at(begin) + text.size()) * odd;
  hash = (hash ^ (hash >> 29U) ^ word_at(begin + std::min<std::size_t>(12, text.size() - 8))) * odd;
  hash = (hash ^ (hash >> 29U) ^ word_at(begin + text.size() / 2 - 4)) * odd;
  hash = (hash ^ (hash >> 29U) ^ word_at(end - std::min<std::size_t>(16, text.size()))) * odd;
  hash = (hash ^ (hash >> 29U) ^ word_at(end - 8)) * odd;
  // mixes in the highest bits, because only these depend on the last byte
  return static_cast<std::uint32_t>(hash >> 32U ^ hash >> 52U);
}

/// Whether free text contains something that a person or a web page may have added: a comment, an ellipsis or a link.
bool has_additions(std::string_view message) {
  // a search for the rare `#` (memchr) is faster than a search for ` # `
  const bool has_comment = message.find('#') != std::string_view::npos && message.find(" # ") != std::string_view::npos;
  return has_comment || message.ends_with("\xe2\x80\xa6") || message.find("](http") != std::string_view::npos;
}

}  // namespace

std::size_t MessageCache::find(std::string_view message, std::uint32_t hash) const {
  const std::size_t first = hash & mask_;
  for (std::size_t at = first; at != first + ways; ++at)
    if (hashes_[at] == hash && entries_[at].message == message) return at;
  return entries_.size();
}

std::size_t MessageCache::evict(std::uint32_t hash) {
  if (++misses_ > entries_.size() && entries_.size() < max_entries) {
    // growth drops all messages, because they are soon cached again
    entries_ = std::vector<Entry>(std::min(8 * entries_.size(), max_entries));
    hashes_.assign(entries_.size(), 0);
    mask_ = entries_.size() - ways;
  }
  return (hash & mask_) + misses_ % ways;
}

MessageMatch MessageCache::match_uncached(std::string_view message, Event& event) const {
  const Row* const row = matcher_.match(message, event);
  if (row == nullptr || (row->end == RowEnd::text && has_additions(message))) return {row, false};
  return {row, !std::holds_alternative<PluginLoadFailed>(event) || message.size() > max_beginning ||
                   !matcher_.is_beginning(message)};
}

MessageMatch MessageCache::match(std::string_view message, Event& event) {
  if (const Row* const row = matcher_.match_hot(message, event))
    return {row, row->end != RowEnd::text || !has_additions(message)};
  if (!on_ || message.size() < min_size || message.size() > max_size) return match_uncached(message, event);
  const std::uint32_t hash = hash_of(message);
  std::size_t at = find(message, hash);
  if (at == entries_.size()) {
    at = evict(hash);
    Entry& made = entries_[at];
    hashes_[at] = hash;
    made.message = message;
    made.match = match_uncached(made.message, made.event);
  }
  event = entries_[at].event;
  return entries_[at].match;
}

}  // namespace nccl_analyze
