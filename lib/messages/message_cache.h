#pragma once
// Caches the events of repeated messages: all ranks of a job print the same topology, settings and plugins.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "messages/matcher.h"

namespace nccl_analyze {

/// The row that matches a message.
struct MessageMatch {
  const Row* row = nullptr;
  /// Whether a row matches and the message is complete and NCCL's alone. False where the free text at its end holds a
  /// comment, a web link or an ellipsis, and where the catch-all row of plugins (PluginLoadFailed) matches the
  /// beginning of another row's message.
  bool whole = false;
};

inline constexpr std::size_t max_beginning = 1023;  ///< Bytes; longer messages are cut by NCCL's own buffer.

/// A two-way set-associative cache in front of a Matcher. It grows with the misses, up to 4096 messages of at most 512
/// bytes.
class MessageCache {
 public:
  /// `on`: false disables the cache. What match() returns does not depend on it.
  explicit MessageCache(const Matcher& matcher, bool on = true) : matcher_(matcher), entries_(min_entries), on_(on) {}

  /// As Matcher::match. The views of the event are valid as long as `message`, but only until the next call.
  MessageMatch match(std::string_view message, Event& event);

 private:
  struct Entry {
    std::string message;
    MessageMatch match;
    Event event;  ///< Its views point into `message`.
  };
  /// The entries that may hold a message with this hash, `ways` of them.
  Entry* set_of(std::size_t hash) { return &entries_[hash & mask_]; }
  MessageMatch match_uncached(std::string_view message, Event& event) const;
  /// The entry to overwrite after a miss.
  Entry& evict(std::size_t hash);

  static constexpr std::size_t ways = 2;
  static constexpr std::size_t min_entries = 32, max_entries = 4096;
  static constexpr std::size_t min_size = 8, max_size = 512;  ///< Bytes of a message that is cached.

  const Matcher& matcher_;
  std::vector<Entry> entries_;  ///< Their number is a power of two.
  std::size_t mask_ = min_entries - ways;
  std::size_t misses_ = 0;
  bool on_;
};

}  // namespace nccl_analyze
