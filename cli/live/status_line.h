#pragma once
/// Standard error while a job is followed: permanent lines and, on a terminal, a status line below them.

#include <string>
#include <string_view>

namespace nccl_analyze {

class StatusLine {
 public:
  StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  /// Whether standard error is a terminal that can rewrite a line.
  bool moves() const { return moves_; }
  /// Prints a permanent line with the time of day.
  void say(std::string_view text);
  /// Replaces the status line, shortened to the width of the terminal. No effect unless moves().
  void show(std::string text);

 private:
  void draw() const;

  bool moves_;
  std::string shown_;
};

}  // namespace nccl_analyze
