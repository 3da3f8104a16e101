#pragma once
/// Waits for the bytes of an input. Meanwhile Ctrl-C ends the reading instead of the program, and a long silence is
/// reported.

#include <functional>
#include <optional>

#include "input/interrupts.h"
#include "input/logging.h"

namespace nccl_analyze {

/// Returns true when `descriptor` can be read, false to stop the reading.
using WaitForBytes = std::function<bool(int descriptor)>;

class InputWait {
 public:
  /// `tell`: whether a long silence is reported. An interruption is always reported. `instead`: if not empty, waits in
  /// place of this object, which then leaves signals alone and reports nothing.
  InputWait(bool tell, Log& log, WaitForBytes instead = {});

  /// Waits until `descriptor` can be read; false after Ctrl-C. Once this object is destroyed, Ctrl-C ends the program
  /// again.
  bool wait(int descriptor);
  bool interrupted() const { return interrupted_; }

 private:
  void log_idle_hint();

  Log& log_;
  WaitForBytes instead_;
  std::optional<Interrupts> interrupts_;  ///< Empty if `instead_` waits.
  bool hint_;
  bool interrupted_ = false;
};

}  // namespace nccl_analyze
