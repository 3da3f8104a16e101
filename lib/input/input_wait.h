#pragma once
/// Waits for the bytes of an input. Meanwhile Ctrl-C ends the reading instead of the program, and a long silence is
/// reported.

#include "input/interrupts.h"
#include "input/logging.h"

namespace nccl_analyze {

class InputWait {
 public:
  /// `tell`: whether a long silence is reported. An interruption is always reported.
  InputWait(bool tell, Log& log);

  /// Waits until `descriptor` can be read; false after Ctrl-C. Once this object is destroyed, Ctrl-C ends the program
  /// again.
  bool wait(int descriptor);
  bool interrupted() const { return interrupted_; }

 private:
  void log_idle_hint();

  Log& log_;
  Interrupts interrupts_;
  bool hint_;
  bool interrupted_ = false;
};

}  // namespace nccl_analyze
