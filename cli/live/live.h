#pragma once
/// Decides which messages about a running job are printed, and when.

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "cli/live/news.h"
#include "cli/live/status_line.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The model of the log so far, and the report on it.
struct Snapshot {
  Model model;
  Report report;
};

/// Prints the messages of --follow.
class Live {
 public:
  using Clock = std::chrono::steady_clock;
  /// `look` judges the log so far. `stall`: time without a record after which a message describes what the job waits
  /// for; 0: no such message. `rest`: the pause after judging, as a multiple of the time that it took.
  Live(std::function<Snapshot()> look, std::chrono::milliseconds stall, int rest = 20);

  /// Must be called when records have arrived.
  void note_records();
  /// When tick() must be called next; Clock::time_point::max() if nothing is due.
  Clock::time_point due() const;
  /// Prints a message at once.
  void say(std::string_view text) { line_.say(text); }
  /// Prints new messages, if they are due.
  void tick();

 private:
  Clock::time_point stall_at() const;
  void report_news(bool quiet);

  std::function<Snapshot()> look_;
  std::chrono::milliseconds stall_;
  int rest_;
  StatusLine line_;
  News news_;
  std::set<std::string> state_;  ///< The sentences that were printed last.
  bool changed_ = false, stall_reported_ = false;
  Clock::time_point next_look_, last_record_ = Clock::now();
};

}  // namespace nccl_analyze
