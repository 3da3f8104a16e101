#pragma once
/// Decides which messages about a running job are printed, and when.

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/live/finding_command.h"
#include "cli/live/live_options.h"
#include "cli/live/news.h"
#include "cli/live/news_file.h"
#include "cli/live/status_line.h"
#include "input/interrupts.h"
#include "input/logging.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Which messages about a running job are printed, and how.
struct MessageOptions {
  bool lines = true;     ///< Whether standard error shows messages.
  bool color = false;    ///< Whether the messages are coloured.
  bool details = false;  ///< Whether findings of severity info are printed.
  /// Time without a record after which a message describes what the job waits for; 0: no such message.
  std::chrono::milliseconds stall{};
  LiveOptions options;
  int rest = 20;  ///< The pause after judging, as a multiple of the time that the judging took.
  /// Whether any output or condition needs the job to be judged before its log ends.
  bool any() const {
    return lines || options.news || !options.on_finding.empty() || options.until.severity || options.until.ready;
  }
};

/// Reports what is new about a job on standard error, to a file and to a program.
class LiveReporter {
 public:
  using Clock = std::chrono::steady_clock;
  /// `snapshot` judges the log so far. Throws Failure if the file or the program of the options cannot be used.
  LiveReporter(std::function<Analysis()> snapshot, MessageOptions messages, Log& log);
  LiveReporter(const LiveReporter&) = delete;
  LiveReporter& operator=(const LiveReporter&) = delete;
  ~LiveReporter();

  /// Must be called when records have arrived.
  void note_records();
  /// When tick() must be called next; Clock::time_point::max() if nothing is due.
  Clock::time_point due() const;
  /// Prints a message at once, if messages are shown.
  void say(std::string_view text) { line_.say(text); }
  /// Reports what is new, if a report is due.
  void tick();
  /// Whether the condition of --until holds.
  bool done() const { return done_; }
  /// Sends the verdict, and the findings that only the end of the log decides, to the file and the program, and waits
  /// for the program. `reason`: see end_news().
  void finish(std::string_view reason, Interrupts& interrupts);

 private:
  Clock::time_point stall_at() const;
  void report_news(bool quiet);
  void tell(const Analysis& now, bool quiet);
  void tell_programs(const Model& model, const std::vector<NewsItem>& items);
  void tell_state(const Model& model);
  void note_until(const Analysis& now, bool quiet);

  std::function<Analysis()> snapshot_;
  MessageOptions messages_;
  Log& log_;
  StatusLine line_;
  std::optional<NewsFile> file_;
  std::optional<FindingCommand> command_;
  NewFindings news_;
  std::set<std::string> state_;  ///< The sentences that were printed last.
  std::string told_state_;       ///< The last state that was written to the file, without its time.
  bool changed_ = false, stall_reported_ = false, done_ = false;
  Clock::time_point next_snapshot_, last_record_ = Clock::now();
};

}  // namespace nccl_analyze
