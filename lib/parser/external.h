#pragma once
// Reads lines of frameworks, launchers and the kernel that explain a failure, and messages of NCCL that a framework
// quotes.

#include <string_view>

#include "messages/matcher.h"
#include "parser/wrapped_head.h"
#include "text/prefix.h"

namespace nccl_analyze {

/// Reads the lines of one source that hold no record. Keeps at most one short line.
class ExternalReader {
 public:
  explicit ExternalReader(const Matcher& matcher) : matcher_(matcher) {}

  /// Whether a row or a well-known phrase matches a part of the line. Fills `event` and the level, decoration, message
  /// and text of `record` then. The views are valid as long as `line`, but only until the next call.
  bool read(std::string_view line, RecordView& record, Event& event);

  /// Whether the next line must be read even without a keyword: it may continue a wrapped line, a quote or a RAS
  /// report.
  bool waiting() const { return quote_lines_left_ > 0 || ras_lines_left_ > 0 || !head_.empty(); }

 private:
  /// A message and the line that it stands in; the message is empty when none was found.
  struct Found {
    std::string_view line, message;
    explicit operator bool() const { return !message.empty(); }
  };
  Found read_line(std::string_view line, Event& event);
  /// A message of NCCL that an exception of a framework quotes behind `Last error:`, on the same line or a later one.
  Found read_quote(std::string_view line, Event& event);
  /// A message of NCCL at the front of `part`, a part of `line`, behind any decoration.
  Found match_quote(std::string_view line, std::string_view part, Event& event);
  /// A message that a row of lib/messages/facts/external.cc matches.
  Found read_rows(std::string_view line, Event& event) const;
  /// A line with a well-known phrase, the last resort.
  static Found read_phrase(std::string_view line, Event& event);
  /// The row that matches the longest beginning of `quoted` that ends before a quote, bracket or comma; `quoted`
  /// becomes that beginning. Null when none does.
  const Row* match_front(std::string_view& quoted, Event& event) const;
  /// Notes which later lines must be read.
  void look_ahead(std::string_view line);
  /// Reads the kept head and `line` as one line.
  Found read_behind_head(std::string_view line, Event& event);

  const Matcher& matcher_;
  int quote_lines_left_ = 0;  ///< Number of later lines in which a quoted message may follow.
  int ras_lines_left_ = 0;    ///< Number of later lines that may belong to a report of the RAS client.
  WrappedHead head_;
};

}  // namespace nccl_analyze
