#pragma once
// Recognises the messages of one source, quickly where lines repeat.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "messages/matcher.h"

namespace nccl_analyze {

/// Gives what the matcher gives. All ranks of a job print the same topology, settings and plugins: of what was
/// recognised lately a copy is kept, 1024 messages of at most 1 KiB.
class Recognizer {
 public:
  explicit Recognizer(const Matcher& matcher) : matcher_(matcher), recent_(slots) {}

  /// As Matcher::match. The views of the event live as long as `message`, and no longer than until the next call.
  const Row* match(std::string_view message, Event& event);

 private:
  struct Recent {
    std::string message;
    const Row* row = nullptr;
    Event event;  ///< Of views into `message`.
  };
  static constexpr std::size_t slots = 1024;
  static constexpr std::size_t max_size = 1024;

  const Matcher& matcher_;
  std::vector<Recent> recent_;
};

}  // namespace nccl_analyze
