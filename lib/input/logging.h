#pragma once
/// Diagnostics: one line each on standard error, or to a caller; never on standard output.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace nccl_analyze {

enum class Verbosity { quiet, normal, verbose };

/// Writes diagnostics. Sentences may contain names from untrusted input, so printable() is applied to each.
class Log {
 public:
  /// Receives a diagnostic: its level, `error` or `warning`, and the printable sentence.
  using Sink = std::function<void(std::string_view level, std::string_view sentence)>;

  /// Writes to standard error.
  Log();
  /// Passes errors and warnings to `sink` and writes nothing.
  explicit Log(Sink sink);
  ~Log();

  void set_verbosity(Verbosity verbosity);
  /// Written at every verbosity.
  void error(std::string_view sentence);
  /// warn() and info() write unless the verbosity is `quiet`.
  void warn(std::string_view sentence);
  void info(std::string_view sentence);
  /// Written if the verbosity is `verbose`.
  void detail(std::string_view sentence);
  /// Calls `show(false)` before and `show(true)` after each line that is written, for a status line on standard error.
  /// Calls nothing if `show` is empty.
  void set_status_line(std::function<void(bool shown)> show);
  /// Whether detail() writes, so that callers can skip composing the sentence.
  bool shows_details() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Replaces unsafe characters and invalid bytes by `\xNN`, so that a file name cannot control the terminal.
std::string printable(std::string_view text);

}  // namespace nccl_analyze
