// Prints at most twice a second and erases itself at the end.

#include "progress.h"

#include <unistd.h>

#include <iostream>

#include "logging.h"

namespace nccl_analyze {

Progress::Progress(bool wanted) : active_(wanted && ::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (shown_) std::cerr << "\r\x1b[K" << std::flush;
}

void Progress::add(std::string_view source, std::size_t bytes) {
  bytes_ += bytes;
  if (!active_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(500);
  shown_ = true;
  std::cerr << "\rreading " << printable(source) << ", " << (bytes_ >> 20U) << " MiB in all\x1b[K" << std::flush;
}

}  // namespace nccl_analyze
