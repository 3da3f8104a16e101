#pragma once
// Facts: the typed events that readers take from the output of other tools, each with its source text.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nccl_analyze/event.h"

namespace nccl_analyze::evidence {

/// The place in the output of a tool that shows a value.
struct SourceQuote {
  std::uint64_t line = 0;  ///< The line number in the source, from 1.
  std::string text;        ///< The line, or a piece of it; see lib/text/literal.h.
};

/// Maximum size in bytes of a quoted line, and of a quoted piece of a longer line.
inline constexpr std::size_t max_shown = 300;

/// Appends a piece of the same or a later line to `shown`. Has no effect if the piece is more than 12 lines below, is
/// already in the quote, or would make the quote longer than 550 bytes.
void add_piece(SourceQuote& shown, const SourceQuote& piece);

/// An event that owns its texts. Control characters in the texts, which JSON may contain, become blanks.
class Fact {
 public:
  template <class E>
  Fact(const E& of, SourceQuote at) : shown(std::move(at)) {
    event.emplace<E>(of);  // To construct the variant from it takes a function for each type before E.
    own_texts();
  }

  Event event;
  SourceQuote shown;

 private:
  static constexpr std::size_t max_text = 8192;  ///< Maximum size of a text of the event in bytes; the rest is dropped.
  void own_texts();
  std::unique_ptr<char[]> texts_;
};
using Facts = std::vector<Fact>;

}  // namespace nccl_analyze::evidence
