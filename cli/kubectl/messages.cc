// Writes to standard error.

#include "cli/kubectl/messages.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "text/escape.h"

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

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 8;
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i) list += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > shown) list += " and " + std::to_string(names.size() - shown) + " more";
  return list;
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace nccl_analyze::kubectl
