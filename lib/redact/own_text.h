#pragma once
// Finds what of a message of NCCL is not the own text of its wording, a number or a word of a closed list: little or
// nothing in most lines of a log, which need no further look.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "messages/matcher.h"
#include "nccl_analyze/event.h"

namespace nccl_analyze::redact {

/// Whether a line holds the words by which holds_guid() and mask_traceback() choose lines, of which other parts are
/// read than those that FreeParts finds.
bool depends_on_line(std::string_view text);

/// Which holes of a wording, or of all wordings of an event, may hold names.
struct FreeHoles {
  bool has_ranks = false;     ///< Whether a hole is a list of ranks.
  bool is_whole = false;      ///< Whether the whole line, or the whole message, has to be read.
  bool is_in_members = true;  ///< Whether all free text of a message is in members of its event.
  std::vector<const Field*> members = {};
};

/// The free text of a message: what may hold names.
struct OwnText {
  struct Part {
    std::string_view text;
    /// A number for the hole that the text stands in. Equal texts with equal numbers are alike in all messages.
    std::uint64_t place = 0;
  };
  std::array<Part, max_captures> parts;
  std::size_t count = 0;
};

class OwnTextFinder {
 public:
  /// Finds the free text of a message, of which is_hot() has been asked before. Returns false if no row matches the
  /// message, if the parts of the message belong together, or if the whole line matters (depends_on_line()).
  /// `is_decorated`: whether decoration stands before it.
  bool find(std::string_view message, bool is_decorated, OwnText& found);
  /// Whether a compiled row matches the message. Such messages come by the million, rarely twice.
  bool is_hot(std::string_view message) { return (hot_ = standard_matcher().match_hot(message, event_)) != nullptr; }
  /// The same of a message of which this event was read, by the members of the event alone; the places are 0. Returns
  /// false if that is not possible, or if the event names a host.
  static bool find(const Event& event, std::string_view message, OwnText& found);

 private:
  const FreeHoles& holes_of(const Row& row);

  std::unordered_map<const Row*, FreeHoles> rows_;
  Event event_;               ///< Of the last message.
  const Row* hot_ = nullptr;  ///< The compiled row that matches it.
};

}  // namespace nccl_analyze::redact
