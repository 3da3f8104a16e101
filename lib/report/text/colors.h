#pragma once
/// The colours of text on a terminal.

#include <string>
#include <string_view>

#include "nccl_analyze/report.h"

namespace nccl_analyze {

inline constexpr std::string_view bold = "\x1b[1m";
inline constexpr std::string_view dim = "\x1b[2m";

/// Returns `text` between escape sequences; unchanged if `color` is empty or TextOptions::color is off.
std::string colored(const TextOptions& options, std::string_view color, std::string_view text);

/// Returns the escape sequence for the colour of a label: ERROR, WARNING, INFO, OK or UNKNOWN; empty for other words.
std::string_view label_color(std::string_view label);

}  // namespace nccl_analyze
