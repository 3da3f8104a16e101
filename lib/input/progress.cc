// Prints at most twice a second and erases its line at the end.

#include "input/progress.h"

#include <unistd.h>

#include <iostream>

#include "input/logging.h"

namespace nccl_analyze {

Progress::Progress(bool wanted) : active_(wanted && ::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { hide(); }

void Progress::hide() {
  if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  shown_ = false;
}

void Progress::add(std::string_view source, std::size_t bytes) {
  bytes_ += bytes;
  if (!active_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(500);
  shown_ = true;
  // Line wrap is turned off for this line, because a name wider than the terminal would leave fragments on the screen.
  std::cerr << "\x1b[?7l\rreading " << printable(source) << ", " << (bytes_ >> 20U) << " MiB in all\x1b[K\x1b[?7h"
            << std::flush;
}

}  // namespace nccl_analyze
