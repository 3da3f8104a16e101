#pragma once
// Facts: the typed events that readers take from the output of other tools, each with the text that shows it.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nccl_analyze/event.h"

namespace nccl_analyze::evidence {

/// Where the output shows a value.
struct Shown {
  std::uint64_t line = 0;  ///< The line of the source, from 1.
  std::string text;        ///< The line, or a piece of it; see lib/text/literal.h.
};

/// Most bytes of a quoted line, and of a piece of a line that is longer.
inline constexpr std::size_t max_shown = 300;

/// Adds a piece that stands behind the first line of `shown`, if it is near enough to be found by a reader of that
/// line.
void add_piece(Shown& shown, const Shown& piece);

/// An event that owns its texts. Control characters in them, which JSON may hold, become blanks.
class Fact {
 public:
  template <class E>
  Fact(const E& of, Shown at) : event(of), shown(std::move(at)) {
    own_texts();
  }

  Event event;
  Shown shown;

 private:
  static constexpr std::size_t max_text = 8192;  ///< Bytes of a text of the event; the rest is left out.
  void own_texts();
  std::unique_ptr<char[]> texts_;
};
using Facts = std::vector<Fact>;

}  // namespace nccl_analyze::evidence
