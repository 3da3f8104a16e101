// Writes to standard error.

#include "cli/kubectl/messages.h"

#include <unistd.h>

#include <iostream>

#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze::kubectl {

namespace {

constexpr std::string_view program = "kubectl nccl-analyze: ";

}  // namespace

void say(std::string_view sentence) { std::cerr << program << visible(sentence) << '\n' << std::flush; }

void say_error(std::string_view sentence) { say(std::string("error: ").append(sentence)); }

StatusText::StatusText() : active_(::isatty(STDERR_FILENO) == 1) {}

void StatusText::show(std::string_view text) {
  if (!active_) return;
  shown_ = true;
  // Line wrap is turned off for this line, because fragments of a wrapped line would stay on the screen.
  std::cerr << "\x1b[?7l\r" << visible(text) << "\x1b[K\x1b[?7h" << std::flush;
}

void StatusText::hide() {
  if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  shown_ = false;
}

std::string listed(const std::vector<std::string>& names) { return joined(names, ", ", 8); }

}  // namespace nccl_analyze::kubectl
