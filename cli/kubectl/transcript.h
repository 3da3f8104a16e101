#pragma once
/// Reads what one call of `kubectl logs --prefix` prints: lines of several streams, and errors of kubectl between them.

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "cli/kubectl/batches.h"
#include "cli/kubectl/streams.h"

namespace nccl_analyze::kubectl {

/// kubectl prints an error about a stream directly after the last bytes of the stream, even in the middle of a line. A
/// line that may be such an error is held back. It is passed on when its stream continues, or when a second call prints
/// it again, because then a program has printed it.
class LogsOutputParser {
 public:
  LogsOutputParser(const Batch& batch, Streams& streams);

  void feed(std::string_view bytes);
  /// Ends the output. `failure`: the last line of standard error if the call failed, else empty. `last_try`: whether no
  /// further call will read the streams, so that lines that were held back are passed on.
  void end(std::string_view failure, bool last_try);

  /// Streams that ended with an error.
  const std::set<StreamName>& broken() const { return broken_; }
  /// Streams of which a line was read.
  const std::set<StreamName>& seen() const { return seen_; }
  /// The last error that kubectl printed between lines; empty if there was none.
  const std::string& error() const { return error_; }

 private:
  void take_line(std::string_view line);
  void take(const StreamName& name, std::string_view line, std::string_view time);
  void take_message(std::string_view message);
  /// Sets `name` to the stream of a line; returns the size of the line's prefix, or 0 if it has none.
  std::size_t read_prefix(std::string_view line, StreamName& name) const;
  /// Returns the position at which a line of another stream begins within `line`, because the output of `own` ended
  /// without a newline; npos if there is none. Searches from `from` on.
  std::size_t find_next(std::string_view line, std::size_t from, const StreamName& own) const;

  const Batch& batch_;
  Streams& streams_;
  std::string rest_;           ///< The beginning of a line whose end has not been read yet.
  bool in_long_line_ = false;  ///< Whether the beginning of the current line was passed on.
  const StreamName* current_ = nullptr;
  std::map<StreamName, std::string> held_;
  std::set<StreamName> broken_, seen_;
  std::string error_;
};

}  // namespace nccl_analyze::kubectl
