#pragma once
// Reads what programs around NCCL say of a failure, and NCCL's own words where a framework quotes them.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "messages/matcher.h"

namespace nccl_analyze {

/// A line of another program. `message` ends `text`; both are empty when the line says nothing.
struct OutsideRecord {
  std::string_view text, message;
};

/// Sees the lines of one source in which NCCL itself does not speak. Keeps at most one short line.
class OutsideReader {
 public:
  explicit OutsideReader(const Matcher& matcher) : matcher_(matcher) {}

  /// Fills `event` when the line tells something. The views live until the next call, or as long as `line`.
  OutsideRecord read(std::string_view line, Event& event);

  /// The next line may go on with this one, or hold what it announces.
  bool waiting() const { return quote_in_ > 0 || ras_lines_ > 0 || !head_.empty(); }

 private:
  /// Where each of the words that are looked for stands in a line.
  using Places = std::array<std::size_t, 24>;
  static Places places_in(std::string_view line);
  /// `head`: where NCCL's words are announced.
  OutsideRecord read_quote(std::string_view line, std::size_t head, Event& event);
  /// NCCL's words at the front of `from`, a part of `line`, behind what wrappers put there.
  OutsideRecord match_quote(std::string_view line, std::string_view from, Event& event);
  OutsideRecord read_signs(std::string_view line, const Places& places, Event& event) const;
  /// A line that says nothing more may hold a well-known phrase.
  static OutsideRecord read_phrase(std::string_view line, Event& event);
  /// NCCL's words at the front of `quoted`, which is cut behind them; null when there are none.
  const Row* match_front(std::string_view& quoted, Event& event) const;
  void look_ahead(std::string_view line, const Places& places);
  /// What the kept head says together with `line`.
  OutsideRecord read_behind_head(std::string_view line, Event& event);

  const Matcher& matcher_;
  int quote_in_ = 0;            ///< NCCL's words are to come within so many lines.
  int ras_lines_ = 0;           ///< Lines left of a report of the RAS client.
  std::string head_;            ///< Lines that were wrapped before they came to their point.
  std::size_t head_width_ = 0;  ///< Bytes of the first of them: others that a terminal wrapped are as long.
  std::string joined_;
};

}  // namespace nccl_analyze
