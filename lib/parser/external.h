#pragma once
// Parses lines in which frameworks, launchers and the kernel report failures, and NCCL messages that frameworks quote.

#include <string>
#include <string_view>

#include "messages/matcher.h"
#include "parser/telling_frame.h"
#include "parser/wrapped_head.h"
#include "text/line_memo.h"
#include "text/prefix.h"
#include "text/traceback.h"

namespace nccl_analyze {

/// Parses the lines of one source that contain no record. Keeps the beginnings of at most two wrapped lines.
class ExternalReader {
 public:
  /// `caches`: whether it remembers what it found in the last lines. The results do not depend on it.
  explicit ExternalReader(const Matcher& matcher, bool caches = true)
      : matcher_(matcher), rows_(caches), phrases_(caches) {}

  /// Whether a row or a failure phrase matches a part of the line. If so, sets `event` and the level, decoration,
  /// message, text and quote of `record`, and returns the number of the line in which the quote begins; else returns 0.
  /// `number`: the number of `line`; `keyword`: whether has_keyword(line). The views are valid until the next call, and
  /// only while `line` exists.
  std::uint64_t read(std::string_view line, std::uint64_t number, bool keyword, RecordView& record, Event& event);

  /// Whether the next line must be parsed even without a keyword, because it may continue a wrapped line, a quote, a
  /// traceback or a RAS report.
  bool waiting() const {
    return quote_lines_left_ > 0 || ras_lines_left_ > 0 || thrown_lines_left_ > 0 || traceback_.open() ||
           !head_.empty() || !told_.empty();
  }

 private:
  /// A message and its line; the message is empty if none was found.
  struct Found {
    std::string_view line, message;
    std::size_t head = 0;  ///< Size in bytes of the kept head with which `line` begins; else 0.
    explicit operator bool() const { return !message.empty(); }
  };
  /// Finds a row or a quoted message of NCCL. `is_keyword_line`: whether has_keyword(line).
  Found read_line(std::string_view line, std::uint64_t number, bool is_keyword_line, Event& event);
  /// Like read_line(), but also finds the exception at the end of a traceback, whatever its class, or a failure phrase.
  Found read_in_traceback(std::string_view line, std::uint64_t number, bool is_keyword_line, Event& event);
  /// Reads the failure of the previous line again, with this line as the rest of its message.
  Found read_rest(std::string_view line, std::uint64_t number, Event& event);
  /// Keeps the line if a message was found in it that may continue on the next line.
  void keep_told(const Found& found, std::string_view line, std::uint64_t number, const Event& event);
  /// Sets the quote of a record that begins in the kept head. Returns the number of the quote's first line.
  std::uint64_t quote_wrapped(const WrappedHead& head, const Found& found, std::uint64_t number, RecordView& record);
  /// Quotes an exception with the frame above it that shows in whose code it was raised. `first`: the number of the
  /// exception's first line. Returns the number of the first line that is quoted.
  std::uint64_t quote_frame(std::uint64_t first, RecordView& record);
  /// Finds an NCCL message that a framework's exception quotes after `Last error:`, on the same line or on a later
  /// line.
  Found read_quote(std::string_view line, Event& event);
  /// Finds an NCCL message at the start of `part`, after any decoration. `part` is a part of `line`.
  Found match_quote(std::string_view line, std::string_view part, Event& event);
  /// Finds a message that a row of lib/messages/facts/external.cc matches.
  Found read_rows(std::string_view line, Event& event);
  Found search_rows(std::string_view line, Event& event) const;
  /// Finds a failure phrase in a line in which nothing else was found.
  Found read_phrase(std::string_view line, Event& event);
  static Found search_phrase(std::string_view line, Event& event);
  /// What a search found in a line: an event, and where its message is.
  struct Searched {
    Event event;
    std::size_t begin = 0, size = 0;
  };
  /// Returns the result of `search(line, event)`, which a line has that `memo` knows.
  template <class Search>
  static Found remembered(LineMemo<Searched>& memo, std::string_view line, Event& event, Search search);
  /// Finds the longest prefix of `quoted` that a row matches and that is all of `quoted` or ends before a comma,
  /// semicolon, backslash, quote or closing bracket. Tries only a few such ends. Sets `quoted` to the prefix and
  /// returns the row, or returns null if there is none.
  const Row* match_front(std::string_view& quoted, Event& event) const;
  /// Notes which later lines must be parsed.
  void look_ahead(std::string_view line, std::uint64_t number);
  /// Parses the kept head and `line` as one line.
  Found read_behind_head(std::string_view line, Event& event);

  const Matcher& matcher_;
  LineMemo<Searched> rows_, phrases_;
  int quote_lines_left_ = 0;   ///< Number of later lines in which a quoted message may follow.
  int thrown_lines_left_ = 0;  ///< Number of later lines in which the words of a C++ exception may follow.
  int ras_lines_left_ = 0;     ///< Number of later lines that may belong to a report of the RAS client.
  TracebackReader traceback_;
  TellingFrame frame_;
  WrappedHead head_;
  WrappedHead told_;             ///< The previous line, if its failure message may continue on this line.
  bool told_is_phrase_ = false;  ///< Whether that message is a failure phrase, not an exception.
  std::string quote_;
};

}  // namespace nccl_analyze
