#pragma once
/// Diagnostics: one line each on standard error, never on standard output.

#include <spdlog/fwd.h>

#include <string>
#include <string_view>

namespace nccl_analyze {

enum class Verbosity { quiet, normal, verbose };

/// Errors always; warnings and notes unless quiet; details when verbose.
spdlog::logger make_logger(Verbosity verbosity);

/// The text with unsafe characters and broken bytes shown as `\xNN`, so that a file's name cannot drive the terminal.
std::string printable(std::string_view text);

}  // namespace nccl_analyze
