// Wraps spdlog, which no other file uses.

#include "input/logging.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <memory>
#include <utility>

#include "text/escape.h"

namespace nccl_analyze {

struct Log::Impl {
  Sink sink = {};
  spdlog::logger logger{"nccl-analyze", std::make_shared<spdlog::sinks::stderr_sink_st>()};
  std::function<void(bool shown)> show_status = {};

  void write(spdlog::level::level_enum level, std::string_view sentence) {
    if (sink) {
      if (level >= spdlog::level::warn) sink(level == spdlog::level::warn ? "warning" : "error", printable(sentence));
      return;
    }
    const bool around = show_status && logger.should_log(level);
    if (around) show_status(false);
    logger.log(level, "{}", printable(sentence));
    if (around) show_status(true);
  }
};

Log::Log() : impl_(std::make_unique<Impl>()) { impl_->logger.set_pattern("%n: %l: %v"); }

Log::Log(Sink sink) : Log() { impl_->sink = std::move(sink); }

Log::~Log() = default;

void Log::set_verbosity(Verbosity verbosity) {
  impl_->logger.set_level(verbosity == Verbosity::quiet     ? spdlog::level::err
                          : verbosity == Verbosity::verbose ? spdlog::level::debug
                                                            : spdlog::level::info);
}

void Log::error(std::string_view sentence) { impl_->write(spdlog::level::err, sentence); }
void Log::warn(std::string_view sentence) { impl_->write(spdlog::level::warn, sentence); }
void Log::info(std::string_view sentence) { impl_->write(spdlog::level::info, sentence); }
void Log::detail(std::string_view sentence) { impl_->write(spdlog::level::debug, sentence); }

void Log::set_status_line(std::function<void(bool shown)> show) { impl_->show_status = std::move(show); }

bool Log::shows_details() const { return impl_->logger.should_log(spdlog::level::debug); }

std::string printable(std::string_view text) { return visible(text); }

}  // namespace nccl_analyze
