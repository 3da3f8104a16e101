#pragma once
/// What whoever watches a job is told, and when.

#include <chrono>
#include <functional>
#include <set>
#include <string>

#include "cli/live/news.h"
#include "cli/live/status_line.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The job as its log tells it so far, judged.
struct Snapshot {
  Model model;
  Report report;
};

class Live {
 public:
  using Clock = std::chrono::steady_clock;
  /// `stall`: how long no record may come before it is said what the job waits for; 0: however long.
  Live(std::function<Snapshot()> look, std::chrono::milliseconds stall);

  /// Records have come.
  void note_records();
  /// When tick() has something to do; never: Clock::time_point::max().
  Clock::time_point due() const;
  /// Tells what is new, if it is time.
  void tick();

 private:
  Clock::time_point stall_at() const;
  void tell_news(bool quiet);

  std::function<Snapshot()> look_;
  std::chrono::milliseconds stall_;
  StatusLine line_;
  News news_;
  std::set<std::string> state_;  ///< Sentences told last.
  bool changed_ = false, stall_told_ = false;
  Clock::time_point next_look_, last_record_ = Clock::now();
};

}  // namespace nccl_analyze
