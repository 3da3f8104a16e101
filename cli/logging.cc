// The logger of the program; the library has none.

#include "logging.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <memory>

#include "report/escape.h"

namespace nccl_analyze {

spdlog::logger make_logger(Verbosity verbosity) {
  spdlog::logger logger("nccl-analyze", std::make_shared<spdlog::sinks::stderr_sink_st>());
  logger.set_pattern("%n: %l: %v");
  logger.set_level(verbosity == Verbosity::quiet     ? spdlog::level::err
                   : verbosity == Verbosity::verbose ? spdlog::level::debug
                                                     : spdlog::level::info);
  return logger;
}

std::string printable(std::string_view text) { return visible(text); }

}  // namespace nccl_analyze
