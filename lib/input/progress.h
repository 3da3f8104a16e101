#pragma once
/// The progress line on standard error while a long input is read.

#include <chrono>
#include <cstdint>
#include <string_view>

namespace nccl_analyze {

/// The line appears only if standard error is a terminal and reading takes longer than a second.
class Progress {
 public:
  explicit Progress(bool wanted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void add(std::string_view source, std::size_t bytes);
  /// Erases the line, so that another message can be printed.
  void hide();

 private:
  using Clock = std::chrono::steady_clock;
  bool active_;
  bool shown_ = false;
  std::uint64_t bytes_ = 0;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
};

}  // namespace nccl_analyze
