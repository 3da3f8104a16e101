// The logger of the program; the library has none.

#include "logging.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <memory>

namespace nccl_analyze {

spdlog::logger make_logger(Verbosity verbosity) {
  spdlog::logger logger("nccl-analyze", std::make_shared<spdlog::sinks::stderr_sink_st>());
  logger.set_pattern("%n: %l: %v");
  logger.set_level(verbosity == Verbosity::quiet     ? spdlog::level::err
                   : verbosity == Verbosity::verbose ? spdlog::level::debug
                                                     : spdlog::level::info);
  return logger;
}

std::string printable(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      shown += c;
    } else {
      shown += "\\x";
      shown += digits[byte >> 4U];
      shown += digits[byte & 0xfU];
    }
  }
  return shown;
}

}  // namespace nccl_analyze
