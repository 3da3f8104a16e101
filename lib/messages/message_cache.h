#pragma once
// Recognises the messages of one source, quickly where lines repeat.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "messages/matcher.h"

namespace nccl_analyze {

/// What a message is read as.
struct MessageMatch {
  const Row* row = nullptr;
  /// Whether the row reads a whole message of NCCL's: there is a row, its free text holds neither the link of a page
  /// nor a comment nor a mark that the line was cut, and the plugins' row for words of others does not read the
  /// beginning of their own words.
  bool whole = false;
};

inline constexpr std::size_t max_beginning = 1023;  ///< Longer messages are not cut by accident.

/// Gives what the matcher gives. All ranks of a job print the same topology, settings and plugins: of what was
/// recognised lately a copy is kept, as many messages as the log needs, up to 4096 of at most 512 bytes.
class MessageCache {
 public:
  /// `on`: whether anything is kept. What match() gives does not depend on it.
  explicit MessageCache(const Matcher& matcher, bool on = true) : matcher_(matcher), entries_(min_entries), on_(on) {}

  /// As Matcher::match. The views of the event live as long as `message`, and no longer than until the next call.
  MessageMatch match(std::string_view message, Event& event);

 private:
  struct Entry {
    std::string message;
    MessageMatch match;
    Event event;  ///< Of views into `message`.
  };
  /// The first of the entries where a message may stand.
  Entry* entries_of(std::size_t hash) { return &entries_[hash & mask_]; }
  MessageMatch match_anew(std::string_view message, Event& event) const;
  /// Where a message is to be kept that is not yet.
  Entry& room_for(std::size_t hash);

  static constexpr std::size_t ways = 2;  ///< Entries where a message may stand.
  static constexpr std::size_t min_entries = 32, max_entries = 4096;
  static constexpr std::size_t min_size = 8, max_size = 512;

  const Matcher& matcher_;
  std::vector<Entry> entries_;  ///< A power of two of them.
  std::size_t mask_ = min_entries - ways;
  std::size_t misses_ = 0;
  bool on_;
};

}  // namespace nccl_analyze
