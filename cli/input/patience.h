#pragma once
/// Waits for the bytes of an input, so that Ctrl-C ends the reading and not the program, and says when none come.

#include "cli/live/interrupts.h"
#include "cli/logging.h"

namespace nccl_analyze {

class Patience {
 public:
  /// Says nothing but that it was interrupted unless `tell`.
  Patience(bool tell, Log& log);

  /// Returns when `descriptor` can be read, or false when the user has asked for the end; the next Ctrl-C after that
  /// ends the program.
  bool wait(int descriptor);
  bool interrupted() const { return interrupted_; }

 private:
  void say_that_nothing_comes();

  Log& log_;
  Interrupts interrupts_;
  bool tell_;
  bool interrupted_ = false;
};

}  // namespace nccl_analyze
