// Waits for the input and for SIGINT with one poll(2).

#include "input/input_wait.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <utility>

namespace nccl_analyze {
namespace {

constexpr int silence_ms = 5000;  // the message below contains this number

}  // namespace

InputWait::InputWait(bool tell, Log& log, WaitForBytes instead)
    : log_(log), instead_(std::move(instead)), hint_(tell && ::isatty(STDERR_FILENO) == 1) {
  if (!instead_) interrupts_.emplace(std::initializer_list<int>{SIGINT});
}

bool InputWait::wait(int descriptor) {
  if (!interrupts_) {
    interrupted_ = interrupted_ || !instead_(descriptor);
    return !interrupted_;
  }
  std::array<pollfd, 2> polled{{{descriptor, POLLIN, 0}, {interrupts_->descriptor(), POLLIN, 0}}};
  while (!interrupted_) {
    const int ready = ::poll(polled.data(), polled.size(), hint_ ? silence_ms : -1);
    if (ready == 0) {
      log_idle_hint();
    } else if ((ready < 0 || polled[1].revents != 0) && interrupts_->take()) {
      interrupted_ = true;
      log_.warn("interrupted: the report is on what was read");
    } else if (ready < 0 || polled[0].revents != 0) {
      // If poll(2) fails, read(2) returns the error.
      return true;
    }
  }
  return false;
}

void InputWait::log_idle_hint() {
  hint_ = false;
  log_.info("no input for 5 s; Ctrl-C ends the reading and reports (--follow tells what changes meanwhile)");
}

}  // namespace nccl_analyze
