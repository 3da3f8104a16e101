#pragma once
// Recognises the messages of one source, quickly where lines repeat.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "messages/matcher.h"

namespace nccl_analyze {

/// Gives what the matcher gives. All ranks of a job print the same topology, settings and plugins: of what was
/// recognised lately a copy is kept, as many messages as the log needs, up to 4096 of at most 512 bytes.
class Recognizer {
 public:
  explicit Recognizer(const Matcher& matcher) : matcher_(matcher), recent_(min_places) {}

  /// As Matcher::match. The views of the event live as long as `message`, and no longer than until the next call.
  const Row* match(std::string_view message, Event& event);

 private:
  struct Recent {
    std::string message;
    const Row* row = nullptr;
    Event event;  ///< Of views into `message`.
  };
  /// The first of the places where a message may stand.
  Recent* places_of(std::size_t hash) { return &recent_[hash & mask_]; }
  /// The place of a message that is not kept yet.
  Recent& place_of(std::size_t hash);

  static constexpr std::size_t ways = 2;  ///< Places where a message may stand.
  static constexpr std::size_t min_places = 256, max_places = 4096;
  static constexpr std::size_t min_size = 8, max_size = 512;

  const Matcher& matcher_;
  std::vector<Recent> recent_;  ///< A power of two of them.
  std::size_t mask_ = min_places - ways;
  std::size_t misses_ = 0;
};

}  // namespace nccl_analyze
