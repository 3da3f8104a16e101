#pragma once
// Finds the exception at the end of a Python traceback by its place in it, whatever its class.

#include <string>
#include <string_view>

namespace nccl_analyze {

/// The last line of a traceback: the class of the exception and what it says, which may be nothing.
struct RaisedLine {
  std::string_view exception, words;
  explicit operator bool() const { return !exception.empty(); }
};

/// Reads the class of an exception at the start of `text`: a name with dots that ends as names of classes do, or a bare
/// name that says what it is, such as `StopIteration`. Empty for other text, and for `SystemExit` with status 0.
RaisedLine read_raised(std::string_view text);

/// Follows the tracebacks in the lines of one source. Lines of other ranks may stand between those of a traceback.
class TracebackReader {
 public:
  /// Whether the line is the head of a traceback, which is then open unless Python says that it ends no process. To be
  /// asked of every line before take().
  bool begin(std::string_view line);
  /// Takes the next line. Returns the exception if the line ends an open traceback, else nothing.
  RaisedLine take(std::string_view line);
  /// Whether a traceback is open, so that every line must be taken.
  bool open() const { return lines_left_ > 0; }

 private:
  std::string decoration_;  ///< What stands before the first line of the open traceback.
  int lines_left_ = 0;      ///< Lines in which the open traceback may end.
  int harmless_left_ = 0;   ///< Lines in which a traceback that ends no process may begin.
  bool has_frame_ = false;  ///< Whether a frame of the open traceback was seen.
};

}  // namespace nccl_analyze
