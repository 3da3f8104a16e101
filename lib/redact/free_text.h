#pragma once
// Finds the free text in an NCCL message: text from other programs, systems or users, without the words, numbers and
// choices of the wording itself. Most lines have little or none, and need no further processing.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "messages/matcher.h"
#include "nccl_analyze/event.h"

namespace nccl_analyze::redact {

/// Whether a line must be read as a whole, because it may have a GUID (holds_guid()) or a part of a traceback
/// (mask_traceback()).
bool depends_on_line(std::string_view text);

/// Whether the text lists nodes of NCCL's topology and the paths to them, and has nothing else in it: `GPU/0-1b000
/// (2/360.0/NVL) NET/0-1`. Such lists need no redaction, because numbers of systems, buses and devices name no machine.
/// This saves time for the many long lines of paths that a rank prints (graph/topo.cc and graph/paths.cc of NCCL 2.5+).
bool is_list_of_nodes(std::string_view text);

/// Whether the text in a hole of `row` is such a list or, in a line of a topology dump, a small number after a node.
bool tells_topology(const Row& row, std::string_view text);

/// The holes of one wording, or of all wordings of a kind of event, that may hold names.
struct FreeHoles {
  bool has_ranks = false;     ///< Some hole is a list of ranks.
  bool is_whole = false;      ///< The line, or the message, must be read as a whole.
  bool is_in_members = true;  ///< All free text of a message is in members of its event.
  std::vector<const Field*> members = {};
};

/// The parts of a message that may hold names.
struct FreeText {
  struct Part {
    std::string_view text;
    /// A number for the hole in which the text stands. Equal texts with equal numbers are redacted in the same way in
    /// all messages.
    std::uint64_t place = 0;
    const Row* row = nullptr;  ///< The row that matches the message, if find() looked for it.

    /// Whether the text names no machine, whatever the names of the log are. Costs more than a lookup of the text.
    bool is_harmless() const { return row != nullptr && tells_topology(*row, text); }
  };
  std::array<Part, max_captures> parts;
  std::size_t count = 0;
};

class FreeTextFinder {
 public:
  /// Finds the free text of the message that was passed to is_hot() last. Returns false if no row matches the message,
  /// if its list of ranks has other numbers, or if the line must be read as a whole (depends_on_line()).
  /// `is_decorated`: whether a decoration precedes the message.
  bool find(std::string_view message, bool is_decorated, FreeText& found);
  /// Whether a compiled row matches the message. Such messages are very frequent, and hardly two of them are equal.
  bool is_hot(std::string_view message) { return (hot_ = standard_matcher().match_hot(message, event_)) != nullptr; }
  /// Finds the free text in the members of the event that was read from a message; the places are 0. Returns false if
  /// other text of the message may be free, or if the event names a host.
  static bool find(const Event& event, std::string_view message, FreeText& found);

 private:
  const FreeHoles& holes_of(const Row& row);

  std::unordered_map<const Row*, FreeHoles> rows_;
  Event event_;               ///< The event of the last message.
  const Row* hot_ = nullptr;  ///< The compiled row that matches the last message.
};

}  // namespace nccl_analyze::redact
