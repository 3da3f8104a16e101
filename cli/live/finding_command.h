#pragma once
/// `--on-finding`: runs a program for each finding. Programs run one at a time, and --follow does not wait for them.

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "input/interrupts.h"
#include "input/logging.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

class FindingCommand {
 public:
  using Clock = std::chrono::steady_clock;
  /// `words`: the program, which is searched in PATH, and its arguments. Throws Failure if there is no such program.
  FindingCommand(std::vector<std::string> words, Log& log);
  FindingCommand(const FindingCommand&) = delete;
  FindingCommand& operator=(const FindingCommand&) = delete;
  ~FindingCommand() = default;

  /// Queues a run for the finding. If 256 runs are queued already, warns once and drops the finding.
  void add(const Model& model, const Finding& finding);
  /// Notes the end of the running program if it has ended. Starts the next queued run if no program is running.
  void tick();
  /// When tick() must be called next; Clock::time_point::max() if nothing runs.
  Clock::time_point due() const;
  /// Waits until all queued runs have ended, ten seconds have passed or a signal has arrived.
  void finish(Interrupts& interrupts);

 private:
  struct Run {
    std::string input;  ///< Written to the standard input of the program.
    /// Variables `NAME=value` that the program gets in addition to those of this program.
    std::vector<std::string> environment;
  };
  void start(const Run& run);
  void note_end(int status);
  void warn_once(const std::string& sentence);

  std::vector<std::string> words_;
  Log& log_;
  std::deque<Run> queue_;
  pid_t running_ = -1;
  bool warned_ = false, dropped_ = false;
};

}  // namespace nccl_analyze
