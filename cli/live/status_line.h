#pragma once
/// Standard error while a job is followed: permanent lines and, on a terminal, a status line below them.

#include <string>
#include <string_view>

namespace nccl_analyze {

class StatusLine {
 public:
  /// `on`: false prints nothing. `color`: whether labels of permanent lines are coloured.
  StatusLine(bool on, bool color);
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  /// Whether standard error is a terminal that can rewrite a line.
  bool moves() const { return moves_; }
  /// Prints a permanent line: the time of day, a label (`ERROR`) if there is one, and the text.
  void say(std::string_view text, std::string_view label = {});
  /// Replaces the status line, shortened to the width of the terminal. No effect unless moves().
  void show(std::string text);
  /// Erases the status line, so that others can write to standard error.
  void hide();
  /// Prints the status line again.
  void draw() const;

 private:
  bool on_, color_, moves_;
  std::string shown_;
};

}  // namespace nccl_analyze
