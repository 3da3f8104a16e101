#pragma once
/// Runs kubectl: one call whose whole output is returned, or several calls of `kubectl logs` at the same time.

#include <chrono>
#include <deque>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "cli/kubectl/batches.h"
#include "cli/kubectl/child.h"
#include "cli/kubectl/transcript.h"
#include "input/interrupts.h"

namespace nccl_analyze::kubectl {

struct CommandResult {
  int status = 0;
  std::string output;
  std::string error;         ///< The last line on standard error, if that was a pipe.
  bool interrupted = false;  ///< Whether the user interrupted kubectl.
};

/// Runs kubectl until it ends. `quiet`: whether its standard error is captured; if not, the user sees it, because
/// programs that log in to a cluster may ask for input there.
CommandResult run_kubectl(const std::vector<std::string>& arguments, bool quiet, Interrupts& interrupts);

/// How a call of `kubectl logs` ended.
struct Outcome {
  Batch batch;
  bool failed = false;  ///< Whether the whole call failed, or ended with an error that names no stream.
  bool gave_lines = false;
  std::vector<StreamName> broken;  ///< Streams that ended with an error.
  std::vector<StreamName> silent;  ///< Streams of which no line came.
  std::string error;
};

class Calls {
 public:
  using Clock = std::chrono::steady_clock;

  /// `most`: the maximum number of calls at the same time. All references must outlive the object.
  Calls(const CommandLine& line, Streams& streams, Interrupts& interrupts, std::size_t most)
      : line_(line), streams_(streams), interrupts_(interrupts), most_(most) {}

  void add(Batch batch, Clock::duration delay = {});
  /// Waits at most `most` for output of the calls, reads it, and returns the calls that have ended. Sets interrupted()
  /// when the user ends the program.
  std::vector<Outcome> work(std::chrono::milliseconds most);
  bool busy() const { return !waiting_.empty() || !running_.empty(); }
  bool interrupted() const { return interrupted_; }
  std::size_t running() const { return running_.size(); }
  /// Interrupts the calls for which `which` is true; work() returns them when they have ended.
  template <class Which>
  void end_if(Which which) {
    for (Call& call : running_)
      if (which(call.transcript, call.began)) call.child.interrupt();
  }

 private:
  struct Waiting {
    Batch batch;
    Clock::time_point due;
  };
  struct Call {
    Call(Batch given, const CommandLine& line, Streams& streams)
        : child(arguments_of(given, line, streams), {.input = true, .output = true, .errors = true}),
          batch(std::move(given)),
          transcript(batch, streams) {
      child.close_input();
    }
    Child child;
    Batch batch;
    LogsOutputParser transcript;
    std::string errors = {};  ///< The last part of standard error.
    Clock::time_point began = Clock::now();
  };

  void start_due();
  void read(Call& call, bool output, bool errors);
  Outcome end(Call& call);

  const CommandLine& line_;
  Streams& streams_;
  Interrupts& interrupts_;
  std::size_t most_;
  bool interrupted_ = false;
  std::deque<Waiting> waiting_;
  std::list<Call> running_;
};

/// The maximum number of times that a call is tried.
inline constexpr int most_tries = 5;

}  // namespace nccl_analyze::kubectl
