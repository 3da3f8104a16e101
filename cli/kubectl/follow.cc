// The plugin follows the log of each pod of the query, including pods that start later, and passes the lines to
// `nccl-analyze --follow`.

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "cli/kubectl/batches.h"
#include "cli/kubectl/calls.h"
#include "cli/kubectl/collect.h"
#include "cli/kubectl/folder.h"
#include "cli/kubectl/listing.h"
#include "cli/kubectl/messages.h"
#include "cli/kubectl/owners.h"
#include "input/failure.h"

namespace nccl_analyze::kubectl {

namespace {

using Clock = Calls::Clock;
constexpr std::chrono::seconds between_lists{5}, after_end{1};
/// Calls are ended and repeated after this time, because kubectl reports no error when a proxy drops a connection.
constexpr std::chrono::minutes renewal{10};

class Following {
 public:
  Following(const CommandLine& line, const Query& query, Interrupts& interrupts)
      : line_(line),
        query_(query),
        interrupts_(interrupts),
        report_(report_arguments(line), {.input = true}),
        streams_([this](const StreamName& name, std::string_view text) { take(name, text); }),
        calls_(line, streams_, interrupts, line.max_log_requests) {
    if (line.save) folder_.emplace(line.save, line.all_namespaces);
    if (query.workload() != nullptr) owners_.emplace(line, *query.workload(), interrupts);
  }

  int run() {
    while (!is_interrupted() && !is_reader_gone() && !is_over()) {
      if (Clock::now() >= next_list_) list();
      for (const Outcome& outcome : calls_.work(std::chrono::milliseconds(500))) note_end(outcome);
      calls_.end_if([](const LogsOutputParser& transcript, Clock::time_point began) {
        const bool is_broken = !transcript.broken().empty() || !transcript.error().empty();
        return Clock::now() - began > (is_broken ? Clock::duration(between_lists) : Clock::duration(renewal));
      });
      if (folder_) folder_->flush();
    }
    add_states();
    report_.close_input();
    return report_.wait();
  }

 private:
  static std::vector<std::string> report_arguments(const CommandLine& line) {
    std::vector<std::string> arguments = {analyzer(), "--follow", "--made-by=" + line.typed};
    arguments.insert(arguments.end(), line.analysis.begin(), line.analysis.end());
    arguments.emplace_back("-");
    return arguments;
  }

  void take(const StreamName& name, std::string_view text) {
    write(text);
    if (folder_) folder_->append(name, text);
  }

  /// Writes the text to nccl-analyze, unless nccl-analyze has ended.
  void write(std::string_view text) {
    while (!text.empty() && !reader_gone_) {
      const ssize_t count = ::write(report_.input(), text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0)
        reader_gone_ = true;
      else
        text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  bool is_reader_gone() {
    pollfd pipe{.fd = report_.input(), .events = 0, .revents = 0};
    reader_gone_ = reader_gone_ || (::poll(&pipe, 1, 0) > 0 && (pipe.revents & POLLERR) != 0);
    return reader_gone_;
  }

  bool is_interrupted() const { return interrupted_ || calls_.interrupted(); }

  /// Whether all pods have finished or were deleted, and all their lines were read.
  bool is_over() const {
    if (calls_.busy()) return false;
    if (pods_.empty()) return followed_ && empty_lists_ >= 2;  // the pods were deleted
    return listed_after_end_ && std::ranges::all_of(pods_, &Pod::finished);
  }

  void list() {
    const Listing listing = list_pods(line_, query_, owners_ ? &*owners_ : nullptr, followed_ || asked_, interrupts_);
    next_list_ = Clock::now() + between_lists;
    interrupted_ = listing.interrupted;
    if (interrupted_) return;
    if (!listing.error.empty()) {
      if (!asked_) throw Failure(listing.error);
      return say(listing.error);
    }
    if (!asked_ && listing.list.pods.empty()) say("no pod matches " + query_.words() + " so far; waiting");
    asked_ = listed_after_end_ = true;
    pods_ = listing.list.pods;
    empty_lists_ = pods_.empty() ? empty_lists_ + 1 : 0;
    begin_streams(listing);
  }

  /// Begins to follow the containers that have started, and those whose calls have ended too early.
  void begin_streams(const Listing& listing) {
    std::set<StreamName> fresh, again;
    for (const Pod& pod : listing.list.pods)
      for (const Container& container : pod.containers) {
        const StreamName name{pod.name_space, pod.name, container.name, false};
        if (!container.started || open_.contains(name)) continue;
        const auto ended = ended_.find(name);
        if (ended == ended_.end())
          fresh.insert(name);
        else if (container.running || (ended->second > 0 && ended->second < most_tries))
          again.insert(name);
      }
    // Old and new streams have separate calls, because a call reads all its streams from the same time on.
    for (const auto& streams : {fresh, again})
      for (Batch& batch : make_batches(streams, listing.list, listing.selector)) begin(std::move(batch));
  }

  void begin(Batch batch) {
    if (open_.size() + batch.streams.size() > line_.max_log_requests) {
      const std::string most = std::to_string(line_.max_log_requests);
      throw Failure("more than " + most + " containers match: narrow the query or -c, or raise --max-log-requests");
    }
    open_.insert(batch.streams.begin(), batch.streams.end());
    followed_ = true;
    calls_.add(std::move(batch));
  }

  void note_end(const Outcome& outcome) {
    for (const StreamName& name : outcome.batch.streams) {
      open_.erase(name);
      int& failures = ended_[name];
      const bool is_broken = outcome.failed || std::ranges::find(outcome.broken, name) != outcome.broken.end();
      failures = is_broken ? failures + 1 : 0;
    }
    listed_after_end_ = false;
    next_list_ = std::min(next_list_, Clock::now() + after_end);
  }

  /// Passes the pods and events, as Kubernetes reports them at the end, to nccl-analyze and to the folder of --save.
  void add_states() {
    if (pods_.empty() || reader_gone_) return;
    if (!is_interrupted()) list_events(line_, pods_, interrupts_);
    std::vector<std::string> manifests, events;
    for (const Pod& pod : pods_) {
      manifests.push_back(pod.manifest);
      events.insert(events.end(), pod.events.begin(), pod.events.end());
    }
    write(lists_of(manifests));
    write(lists_of(events));
    if (!folder_) return;
    folder_->flush();
    write_states(*folder_, pods_);
  }

  const CommandLine& line_;
  const Query& query_;
  Interrupts& interrupts_;
  std::optional<Owners> owners_;
  Child report_;
  std::optional<Folder> folder_;
  Streams streams_;
  Calls calls_;
  std::vector<Pod> pods_;            ///< The pods of the last listing.
  std::set<StreamName> open_;        ///< Streams that are being read.
  std::map<StreamName, int> ended_;  ///< Streams whose call has ended, with the number of failures in a row.
  Clock::time_point next_list_ = Clock::now();
  int empty_lists_ = 0;
  bool asked_ = false, followed_ = false, reader_gone_ = false, interrupted_ = false;
  bool listed_after_end_ = false;  ///< Whether pods_ is newer than the last end of a call.
};

}  // namespace

int follow(const CommandLine& line, const Query& query, Interrupts& interrupts) {
  return Following(line, query, interrupts).run();
}

}  // namespace nccl_analyze::kubectl
