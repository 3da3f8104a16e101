// Waits in one thread for bytes, signals and the time of the next message, whichever comes first.

#include "cli/live/follow.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string_view>

#include "input/interrupts.h"

namespace nccl_analyze {
namespace {

using Clock = LiveReporter::Clock;

/// The minimum pause between two listings of the files. After slow listings the pause is longer, so that they take at
/// most 5 % of the processor's time and, on a slow file system, at most half of the elapsed time.
constexpr std::chrono::milliseconds shortest_pause{250};
constexpr int rest_after_look = 20;

std::chrono::microseconds processor_time() {
  return std::chrono::microseconds(std::clock() * std::int64_t{1'000'000} / CLOCKS_PER_SEC);
}

class Follower {
 public:
  Follower(const std::vector<std::string>& paths, const RecordSink& sink, const FollowOptions& following, Log& log)
      : sink_(sink), inputs_(paths, sink, log) {
    if (following.messages.any())
      live_.emplace([this, &following] { return following.snapshot(inputs_.so_far()); }, following.messages, log);
  }

  ReadCounts follow() {
    std::string_view reason = "input";
    while (sink_.wanted() && wait()) {
      if (interrupts_.take()) {
        reason = "signal";
        break;
      }
      read();
      if (!live_) continue;
      live_->tick();
      if (live_->done()) {
        reason = "until";
        break;
      }
    }
    inputs_.finish();
    if (live_) live_->finish(reason, interrupts_);
    live_.reset();
    return inputs_.send_sources_to_sink();
  }

 private:
  /// Waits until there is something to do; false if every input has ended.
  bool wait() {
    if (!inputs_.open()) return false;
    polled_ = {{interrupts_.descriptor(), POLLIN, 0}};
    inputs_.add_polled(polled_);
    Clock::time_point until = live_ ? live_->due() : Clock::time_point::max();
    if (inputs_.lists_files()) until = std::min(until, next_listing_);
    if (inputs_.busy()) until = Clock::now();
    int timeout = -1;
    if (until != Clock::time_point::max()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
      timeout = static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
    }
    ::poll(polled_.data(), polled_.size(), timeout);
    return true;
  }

  void read() {
    if (inputs_.lists_files() && Clock::now() >= next_listing_) list_files();
    const std::uint64_t records = inputs_.records();
    inputs_.read(polled_);
    if (live_ && inputs_.records() != records) live_->note_records();
  }

  void list_files() {
    const Clock::time_point before = Clock::now();
    const std::chrono::microseconds work_before = processor_time();
    inputs_.list_files();
    const std::chrono::microseconds work = processor_time() - work_before;
    const Clock::time_point after = Clock::now();
    next_listing_ = after + std::max<Clock::duration>({shortest_pause, work * rest_after_look, after - before});
  }

  // Constructed before the first message, because users may answer a message with a signal.
  Interrupts interrupts_{{SIGINT, SIGTERM}};
  const RecordSink& sink_;
  FollowedInputs inputs_;
  std::optional<LiveReporter> live_;
  std::vector<pollfd> polled_;
  Clock::time_point next_listing_ = Clock::now();
};

}  // namespace

ReadCounts follow_inputs(const std::vector<std::string>& paths, const RecordSink& sink, const FollowOptions& following,
                         Log& log) {
  return Follower(paths, sink, following, log).follow();
}

}  // namespace nccl_analyze
