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
std::size_t hash_of(std::string_view text) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  std::uint64_t hash = (word_at(begin) + text.size()) * odd;
  hash = (hash ^ (hash >> 29U) ^ word_at(begin + std::min<std::size_t>(12, text.size() - 8))) * odd;
  hash = (hash ^ (hash >> 29U) ^ word_at(begin + text.size() / 2 - 4)) * odd;
  hash = (hash ^ (hash >> 29U) ^ word_at(end - std::min<std::size_t>(16, text.size()))) * odd;
  hash = (hash ^ (hash >> 29U) ^ word_at(end - 8)) * odd;
  // mixes in the highest bits, because only these depend on the last byte
  return static_cast<std::size_t>(hash >> 32U ^ hash >> 52U);
}

/// Whether free text contains something that a person or a web page may have added: a comment, an ellipsis or a link.
bool has_additions(std::string_view message) {
  // a search for the rare `#` (memchr) is faster than a search for ` # `
  const bool has_comment = message.find('#') != std::string_view::npos && message.find(" # ") != std::string_view::npos;
  return has_comment || message.ends_with("\xe2\x80\xa6") || message.find("](http") != std::string_view::npos;
}

}  // namespace

MessageCache::Entry& MessageCache::evict(std::size_t hash) {
  if (++misses_ > entries_.size() && entries_.size() < max_entries) {
    // growth drops all messages, because they are soon cached again
    entries_ = std::vector<Entry>(std::min(8 * entries_.size(), max_entries));
    mask_ = entries_.size() - ways;
  }
  return set_of(hash)[misses_ % ways];
}

MessageMatch MessageCache::match_uncached(std::string_view message, Event& event) const {
  const Row* const row = matcher_.match(message, event);
  if (row == nullptr || (row->end == RowEnd::text && has_additions(message))) return {row, false};
  return {row, !std::holds_alternative<PluginLoadFailed>(event) || message.size() > max_beginning ||
                   !matcher_.is_beginning(message)};
}

MessageMatch MessageCache::match(std::string_view message, Event& event) {
  if (const Row* const row = matcher_.match_hot(message, event)) return {row, true};
  if (!on_ || message.size() < min_size || message.size() > max_size) return match_uncached(message, event);
  const std::size_t hash = hash_of(message);
  Entry* entry = set_of(hash);
  if (entry->message != message && (++entry)->message != message) {
    entry = &evict(hash);
    entry->message = message;
    entry->match = match_uncached(entry->message, entry->event);
  }
  event = entry->event;
  return entry->match;
}

}  // namespace nccl_analyze
