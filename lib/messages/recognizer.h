#pragma once
// Recognises the messages of one source, quickly where lines repeat.

#include <cstddef>
#include <cstdint>
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

  /// A message that is kept, and what match() gives for it.
  struct Recent {
    std::string message;
    const Row* row = nullptr;
    Event event;                ///< Of views into `message`.
    std::uint32_t next = none;  ///< The place of what the same speaker said after it lately.
    bool whole = false;  ///< A line that says this says it and nothing more, and that may be followed by anything.
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// As Matcher::match. The views of the event live as long as `message`, and no longer than until the next call.
  const Row* match(std::string_view message, Event& event);

  /// The message that was matched last; null if it is not kept.
  Recent* kept() { return kept_; }

  /// Takes note that whose last message was kept at `before`, or none, said `kept`. Returns its place.
  std::uint32_t follow(std::uint32_t before, const Recent& kept) {
    const std::uint32_t place = place_of(kept);
    if (before < recent_.size()) recent_[before].next = place;
    return place;
  }

  /// What is to be expected of a speaker whose last message is at `place`, for all ranks say the same one after the
  /// other. Null where nothing is.
  const Recent* after(std::uint32_t place) const {
    const std::uint32_t next = place < recent_.size() ? recent_[place].next : none;
    return next < recent_.size() && recent_[next].whole ? &recent_[next] : nullptr;
  }
  std::uint32_t place_of(const Recent& recent) const { return static_cast<std::uint32_t>(&recent - recent_.data()); }

 private:
  /// The first of the places where a message may stand.
  Recent* places_of(std::size_t hash) { return &recent_[hash & mask_]; }
  /// Where a message is to be kept that is not yet.
  Recent& room_for(std::size_t hash);

  static constexpr std::size_t ways = 2;  ///< Places where a message may stand.
  static constexpr std::size_t min_places = 256, max_places = 4096;
  static constexpr std::size_t min_size = 8, max_size = 512;

  const Matcher& matcher_;
  std::vector<Recent> recent_;  ///< A power of two of them.
  std::size_t mask_ = min_places - ways;
  std::size_t misses_ = 0;
  Recent* kept_ = nullptr;
};

}  // namespace nccl_analyze
