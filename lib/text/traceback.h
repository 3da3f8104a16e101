#pragma once
// Finds the exception at the end of a Python traceback by its position, so that its class does not matter.

#include <string>
#include <string_view>

namespace nccl_analyze {

/// The last line of a traceback: the class of the exception and its message, which may be empty.
struct RaisedLine {
  std::string_view exception, words;
  bool harmless = false;  ///< Whether Python announced that the exception ends no process.
  explicit operator bool() const { return !exception.empty(); }
};

/// Reads the class of an exception at the start of `text`: a name with dots whose last part has the form of a class, or
/// a name without dots that ends as classes of exceptions do, such as `StopIteration`. Empty for other text, and for
/// `SystemExit` with status 0.
RaisedLine read_raised(std::string_view text);

/// Reads the tracebacks in the lines of one source. Lines of other ranks may stand between those of a traceback.
class TracebackReader {
 public:
  /// Whether the line is the head of a traceback, which is then open. Must be called for every line before take().
  /// `keyword`: whether the line has a keyword (text/line_scan.h), without which it is no head.
  bool begin(std::string_view line, bool keyword);
  /// Reads the next line. Returns the exception if the line ends an open traceback, else an empty result.
  RaisedLine take(std::string_view line);
  /// Whether a traceback is open, so that every line must be passed to take().
  bool open() const { return lines_left_ > 0 || chain_left_ > 0; }

 private:
  void announce(std::string_view line);
  /// Reads the exception that Python prints without a traceback behind its announcement.
  RaisedLine take_announced(std::string_view line);

  std::string decoration_;      ///< The text before the head of the open traceback.
  std::string announced_;       ///< The text before the last announcement.
  int lines_left_ = 0;          ///< Number of lines in which the open traceback may still end.
  int harmless_left_ = 0;       ///< Number of lines in which a traceback that ended no process may begin.
  int chain_left_ = 0;          ///< Number of lines in which another exception may be linked to a harmless one.
  bool ended_nothing_ = false;  ///< Whether the last announcement says that the exception ended nothing at all.
  bool is_harmless_ = false;    ///< Whether the open traceback ended nothing at all.
  bool has_frame_ = false;      ///< Whether a frame of the open traceback was seen.
};

}  // namespace nccl_analyze
