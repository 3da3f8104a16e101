#pragma once
// Caches the events of repeated messages: all ranks of a job print the same topology, settings and plugins.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/matcher.h"

namespace nccl_analyze {

/// The row that matches a message.
struct MessageMatch {
  const Row* row = nullptr;
  /// Whether a row matches and the message is complete and unmodified. False in two cases: free text at the end
  /// contains a comment, a web link or an ellipsis, which a person may have added to the log; or only the catch-all row
  /// for plugins (PluginLoadFailed) matches, and the message is the beginning of a message of another row.
  bool whole = false;
};

inline constexpr std::size_t max_beginning = 1023;  ///< In bytes; NCCL's buffer truncates longer messages.

/// A two-way set-associative cache for a Matcher. With many misses it grows, up to 4096 messages. Messages of less than
/// 8 or more than 512 bytes are not cached.
class MessageCache {
 public:
  /// `on`: whether the cache is enabled. The results of match() do not depend on it.
  explicit MessageCache(const Matcher& matcher, bool on = true)
      : matcher_(matcher), entries_(min_entries), hashes_(min_entries), on_(on) {}

  /// Returns the row that matches the whole message, and stores its event in `event`; MessageMatch::row is null if no
  /// row matches. The views of the event are valid until the next call, and only while `message` exists.
  MessageMatch match(std::string_view message, Event& event);

 private:
  struct alignas(64) Entry {
    std::string message;
    MessageMatch match;
    Event event;  ///< Its views point into `message`.
  };
  MessageMatch match_uncached(std::string_view message, Event& event) const;
  /// Returns the index of the entry of `message`; the number of entries if there is none.
  std::size_t find(std::string_view message, std::uint32_t hash) const;
  /// Returns the index of the entry to overwrite after a miss.
  std::size_t evict(std::uint32_t hash);

  static constexpr std::size_t ways = 2;
  static constexpr std::size_t min_entries = 32, max_entries = 4096;
  static constexpr std::size_t min_size = 8, max_size = 512;  ///< Sizes of cached messages, in bytes.

  const Matcher& matcher_;
  std::vector<Entry> entries_;         ///< Their number is a power of two.
  std::vector<std::uint32_t> hashes_;  ///< Of the messages of the entries, which are far away in memory.
  std::size_t mask_ = min_entries - ways;
  std::size_t misses_ = 0;
  bool on_;
};

}  // namespace nccl_analyze
