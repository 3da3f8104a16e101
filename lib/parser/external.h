#pragma once
// Reads what programs around NCCL say of a failure (frameworks, launchers, the kernel), and NCCL's own words where a
// framework quotes them.

#include <string_view>

#include "messages/matcher.h"
#include "parser/wrapped_head.h"
#include "text/prefix.h"

namespace nccl_analyze {

/// Sees the lines of one source that hold no record of NCCL's. Keeps at most one short line.
class ExternalReader {
 public:
  explicit ExternalReader(const Matcher& matcher) : matcher_(matcher) {}

  /// Reads a line. Where a row or a well-known phrase is in it, fills `event` and the level, message, text and front of
  /// `record` and returns true. The views live until the next call, or as long as `line`.
  bool read(std::string_view line, RecordView& record, Event& event);

  /// The next line may go on with this one, or hold what it announces.
  bool waiting() const { return quote_in_ > 0 || ras_lines_ > 0 || !head_.empty(); }

 private:
  /// A message and the line that it stands in; the message is empty where none was found.
  struct Found {
    std::string_view line, message;
    explicit operator bool() const { return !message.empty(); }
  };
  Found read_line(std::string_view line, Event& event);
  Found read_quote(std::string_view line, Event& event);
  /// NCCL's words at the front of `from`, a part of `line`, behind what wrappers put there.
  Found match_quote(std::string_view line, std::string_view from, Event& event);
  /// What a row of lib/messages/facts/external.cc reads.
  Found read_rows(std::string_view line, Event& event) const;
  /// A line that says nothing more may hold a well-known phrase.
  static Found read_phrase(std::string_view line, Event& event);
  /// NCCL's words at the front of `quoted`, which is cut behind them; null when there are none.
  const Row* match_front(std::string_view& quoted, Event& event) const;
  void look_ahead(std::string_view line);
  /// What the kept head says together with `line`.
  Found read_behind_head(std::string_view line, Event& event);

  const Matcher& matcher_;
  int quote_in_ = 0;   ///< NCCL's words are to come within so many lines.
  int ras_lines_ = 0;  ///< Lines left of a report of the RAS client.
  WrappedHead head_;
};

}  // namespace nccl_analyze
