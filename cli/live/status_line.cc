// Erases the status line before each permanent line and draws it again below.

#include "cli/live/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <utility>

#include "input/logging.h"
#include "report/text/colors.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr std::string_view erase = "\r\x1b[K";

bool can_move() {
  const char* const kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && (kind == nullptr || std::string_view(kind) != "dumb");
}

std::size_t width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  std::array<char, 16> text{};
  if (::localtime_r(&now, &local) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), "%H:%M:%S  ", &local)};
}

}  // namespace

StatusLine::StatusLine(bool on, bool color) : on_(on), color_(color), moves_(on && can_move()) {}

StatusLine::~StatusLine() { hide(); }

void StatusLine::hide() {
  if (!shown_.empty()) std::cerr << erase << std::flush;
}

void StatusLine::say(std::string_view text, std::string_view label) {
  if (!on_) return;
  const std::string_view color = color_ ? label_color(label) : std::string_view{};
  std::cerr << (shown_.empty() ? "" : erase) << time_of_day() << color << label << (color.empty() ? "" : "\x1b[0m")
            << (label.empty() ? "" : " ") << printable(text) << '\n';
  draw();
}

void StatusLine::show(std::string text) {
  if (!moves_) return;
  shown_ = std::move(text);
  std::cerr << erase;
  draw();
}

void StatusLine::draw() const {
  // Four columns are left free: three for the dots of a shortened line, and the last one, because some terminals wrap
  // the line when a character is written there.
  if (!shown_.empty()) std::cerr << truncated(printable(shown_), width() - std::min<std::size_t>(width(), 4));
  std::cerr << std::flush;
}

}  // namespace nccl_analyze
