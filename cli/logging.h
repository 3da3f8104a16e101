#pragma once
/// Diagnostics: one line each on standard error, never on standard output.

#include <memory>
#include <string>
#include <string_view>

namespace nccl_analyze {

enum class Verbosity { quiet, normal, verbose };

/// Sentences may hold names from untrusted input: printable() is applied to each.
class Log {
 public:
  Log();
  ~Log();

  void set_verbosity(Verbosity verbosity);
  /// Always.
  void error(std::string_view sentence);
  /// Unless quiet.
  void warn(std::string_view sentence);
  void info(std::string_view sentence);
  /// When verbose.
  void detail(std::string_view sentence);
  bool tells_details() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The text with unsafe characters and broken bytes shown as `\xNN`, so that a file's name cannot drive the terminal.
std::string printable(std::string_view text);

}  // namespace nccl_analyze
