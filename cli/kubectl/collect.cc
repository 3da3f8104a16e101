// Collects the logs in a folder, and names the pods that have none, with the reason.

#include "cli/kubectl/collect.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/kubectl/batches.h"
#include "cli/kubectl/calls.h"
#include "cli/kubectl/folder.h"
#include "cli/kubectl/listing.h"
#include "cli/kubectl/messages.h"
#include "cli/kubectl/owners.h"
#include "input/failure.h"
#include "text/phrases.h"

namespace nccl_analyze::kubectl {

namespace {

constexpr std::size_t most_calls = 8;

std::string name_of(const StreamName& stream) {
  return stream.pod + "/" + stream.container + (stream.previous ? " (previous)" : "");
}

class Collection {
 public:
  Collection(const CommandLine& line, Interrupts& interrupts, const Listing& listing)
      : line_(line),
        listing_(listing),
        folder_(line.save, line.all_namespaces),
        streams_([this](const StreamName& name, std::string_view text) { take(name, text); }),
        calls_(line, streams_, interrupts, most_calls) {}

  void run() {
    add(false);
    add(true);
    while (calls_.busy() && !calls_.interrupted()) {
      for (const Outcome& outcome : calls_.work(std::chrono::milliseconds(500))) retry(outcome);
      show();
    }
    status_.hide();
    if (calls_.interrupted()) say("interrupted: the report is on what was read so far");
    folder_.flush();
  }

  /// Reports on standard error which logs are missing. Throws Failure if there is no log at all.
  void tell() const {
    std::set<std::pair<std::string_view, std::string_view>> pods;
    std::size_t containers = 0;
    std::vector<std::string> gaps, none;
    for (const auto& [name, stream] : streams_.all()) {
      if (stream.lines == 0) continue;
      ++containers;
      pods.emplace(name.name_space, name.pod);
      if (stream.gap) gaps.push_back(name_of(name));
    }
    for (const Pod& pod : listing_.list.pods)
      if (!pods.contains({pod.name_space, pod.name})) none.push_back(pod.name + " (" + why_silent(pod) + ")");
    const std::string without = none.empty() ? "" : ": " + listed(none);
    if (pods.empty())
      throw Failure("no log of " + count_text(listing_.list.pods.size(), "pod") + without +
                    "; `kubectl describe pod` says more");
    say(count_text(containers, "log") + " of " + count_text(pods.size(), "pod") +
        (none.empty() ? "" : "; " + count_text(none.size(), "pod") + " without" + without));
    if (!gaps.empty()) say("lines may be missing, because the log was rotated while it was read: " + listed(gaps));
    std::vector<std::string> unread;
    for (const auto& [name, error] : failed_) unread.push_back(name_of(name) + ": " + error);
    if (!unread.empty()) say("not read to the end: " + listed(unread));
  }

  Folder& folder() { return folder_; }

 private:
  void add(bool previous) {
    if (line_.previous && !previous) return;
    std::set<StreamName> streams;
    for (const Pod& pod : listing_.list.pods)
      for (const Container& container : pod.containers)
        if (previous ? container.restarted : container.started)
          streams.insert({pod.name_space, pod.name, container.name, previous});
    for (Batch& batch : make_batches(streams, listing_.list, listing_.selector)) calls_.add(std::move(batch));
  }

  void take(const StreamName& name, std::string_view text) {
    bytes_ += text.size();
    folder_.append(name, text);
  }

  /// Reads again the streams that ended with an error and, after a call that failed, the streams without a line. A call
  /// without any line is first repeated unchanged, because the API server may be overloaded, and later divided into a
  /// call for each container, because one of them may be gone.
  void retry(const Outcome& outcome) {
    if (calls_.interrupted()) return;
    constexpr int tries_as_it_is = 3;
    for (const StreamName& name : outcome.batch.streams) failed_.erase(name);
    std::set<StreamName> again(outcome.broken.begin(), outcome.broken.end());
    if (outcome.failed) again.insert(outcome.silent.begin(), outcome.silent.end());
    const int tries = outcome.batch.tries + 1;
    const auto delay = std::chrono::milliseconds(250) * (1 << tries);
    if (tries >= most_tries) {
      for (const StreamName& name : again) failed_[name] = outcome.error;
    } else if (outcome.failed && !outcome.gave_lines && tries < tries_as_it_is) {
      Batch batch = outcome.batch;
      batch.tries = tries;
      calls_.add(std::move(batch), delay);
    } else {
      for (Batch& batch : single_batches(again)) {
        batch.tries = tries;
        calls_.add(std::move(batch), delay);
      }
    }
  }

  void show() {
    constexpr int mebibyte = 20;
    std::size_t begun = 0;
    for (const auto& [name, stream] : streams_.all()) begun += stream.lines > 0 ? 1 : 0;
    status_.show("reading logs: " + std::to_string(begun) + " of " + std::to_string(streams_.all().size()) + ", " +
                 std::to_string(bytes_ >> mebibyte) + " MiB");
  }

  std::string why_silent(const Pod& pod) const {
    for (const auto& [name, error] : failed_)
      if (name.name_space == pod.name_space && name.pod == pod.name) return error;
    const bool started = std::ranges::any_of(pod.containers, &Container::started);
    if (pod.containers.empty()) return "no container that -c means";
    return started && !line_.previous ? "nothing printed" : started ? "never restarted" : pod.state;
  }

  const CommandLine& line_;
  const Listing& listing_;
  Folder folder_;
  Streams streams_;
  Calls calls_;
  StatusText status_;
  std::uint64_t bytes_ = 0;
  std::map<StreamName, std::string> failed_;  ///< Streams that could not be read to the end, with the error.
};

int report_on(const Folder& folder, const CommandLine& line) {
  std::vector<std::string> arguments = {analyzer(), "--made-by=" + line.typed};
  if (folder.temporary()) arguments.push_back("--names-from=" + folder.path() + "/");
  arguments.insert(arguments.end(), line.analysis.begin(), line.analysis.end());
  arguments.push_back(folder.path());
  return Child(arguments, {}).wait();
}

}  // namespace

std::string analyzer() {
  std::array<char, 4096> path{};
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  std::string beside(path.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
  beside.resize(beside.rfind('/') + 1);
  beside += "nccl-analyze";
  return ::access(beside.c_str(), X_OK) == 0 ? beside : "nccl-analyze";
}

int check_analysis_words(const CommandLine& line) {
  if (line.analysis.empty()) return 0;
  std::vector<std::string> arguments = {analyzer(), "__check"};
  if (line.follow) arguments.emplace_back("--follow");
  arguments.insert(arguments.end(), line.analysis.begin(), line.analysis.end());
  arguments.emplace_back("-");
  return Child(arguments, {}).wait();
}

void write_states(Folder& folder, const std::vector<Pod>& pods) {
  for (const Pod& pod : pods) {
    folder.write(pod.name_space, pod.name, "pod.json", list_of({&pod.manifest, 1}));
    folder.write(pod.name_space, pod.name, "events.json", list_of(pod.events));
  }
}

int collect(const CommandLine& line, const Query& query, Interrupts& interrupts) {
  std::optional<Owners> owners;
  if (query.workload() != nullptr) owners.emplace(line, *query.workload(), interrupts);
  Listing listing = list_pods(line, query, owners ? &*owners : nullptr, false, interrupts);
  constexpr int by_interrupt = 130;
  if (listing.interrupted) return by_interrupt;
  if (!listing.error.empty()) throw Failure(listing.error);
  if (!listing.list.refused.empty())
    say("left out, because no pod can have such a name: " + listed(listing.list.refused));
  if (listing.list.pods.empty())
    throw Failure("no pod matches " + query.words() + "; `kubectl get pods --show-labels` lists what there is");
  Collection collection(line, interrupts, listing);
  collection.run();
  collection.tell();
  list_events(line, listing.list.pods, interrupts);
  write_states(collection.folder(), listing.list.pods);
  return report_on(collection.folder(), line);
}

}  // namespace nccl_analyze::kubectl
