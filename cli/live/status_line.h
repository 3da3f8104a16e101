#pragma once
/// Standard error while a job is watched: lines that stay, and on a terminal one that is written anew below them.

#include <string>
#include <string_view>

namespace nccl_analyze {

class StatusLine {
 public:
  StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  /// Standard error is a terminal that can do it.
  bool moves() const { return moves_; }
  /// A line that stays, with the time of day.
  void say(std::string_view text);
  /// The line below; cut where the terminal ends. Nothing where it does not move.
  void show(std::string text);

 private:
  void draw() const;

  bool moves_;
  std::string shown_;
};

}  // namespace nccl_analyze
