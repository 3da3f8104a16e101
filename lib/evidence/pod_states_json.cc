// Reads the reasons why pods failed or have not started, from statuses (`kubectl get pods -o json`) and from events
// (`kubectl get events -o json`). A healthy pod gives no fact.

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "evidence/formats.h"
#include "evidence/json_values.h"
#include "evidence/pod_states.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_state_facts = std::size_t{1} << 14;

/// Reasons why a pod has not started, in events (pkg/kubelet/events, the scheduler and the controllers of Kubernetes)
/// and in the states of waiting containers.
constexpr std::array<std::string_view, 12> start_reasons{
    "FailedScheduling",     "FailedMount",       "FailedAttachVolume",         "FailedCreatePodSandBox",
    "ImagePullBackOff",     "ErrImagePull",      "ErrImageNeverPull",          "InvalidImageName",
    "CreateContainerError", "RunContainerError", "CreateContainerConfigError", "UnexpectedAdmissionError"};
constexpr std::array<std::string_view, 9> end_reasons{
    "Evicted",      "Preempted",           "TaintManagerEviction", "NodeNotReady", "NodeShutdown",
    "NodeAffinity", "ExceededGracePeriod", "DeadlineExceeded",     "OOMKilling"};

bool is_one_of(const auto& reasons, std::string_view reason) {
  return std::ranges::find(reasons, reason) != std::end(reasons);
}

class States {
 public:
  States(JsonText& source, Facts& facts) : source_(source), facts_(facts) {}

  void read_pod(const Json& item) {
    const Json& status = object(item, "status");
    const std::string_view pod = text(object(item, "metadata"), "name");
    if (pod.empty()) return;
    for (const char* const statuses : {"initContainerStatuses", "containerStatuses"})
      for (const Json& container : list(status, statuses)) read_container(container, pod);
    if (text(status, "phase") == "Failed" && !text(status, "reason").empty()) add_end(pod, status);
    for (const Json& condition : list(status, "conditions")) {
      const std::string_view type = text(condition, "type"), value = text(condition, "status");
      if (type == "DisruptionTarget" && value == "True") add_end(pod, condition);
      if (type == "PodScheduled" && value == "False") add_start(pod, text(condition, "reason"), condition);
    }
  }

  void read_event(const Json& event, std::string_view pod) {
    const std::string_view reason = text(event, "reason");
    if (is_one_of(end_reasons, reason)) return add_end(pod, event);
    if (is_one_of(start_reasons, reason)) return add_start(pod, reason, event);
    // The kubelet reports a failed image pull with the general reason `Failed`; the message has the real reason.
    constexpr std::string_view error = "Error: ";
    const std::string_view message = text(event, "message");
    if (reason == "Failed" && message.starts_with(error) && is_one_of(start_reasons, message.substr(error.size())))
      add_start(pod, message.substr(error.size()), event);
  }

 private:
  /// Adds a fact, unless an equal one was added or the limit is reached. `keys`: the members of `at` that are quoted.
  void add(const ProcessEnded& event, const Json& at, std::initializer_list<std::string_view> keys) {
    const bool is_new = facts_.size() < max_state_facts &&
                        known_
                            .emplace(std::string(event.about), std::string(event.host), std::string(event.program),
                                     std::string(event.why), event.code, std::string(event.detail))
                            .second;
    if (is_new) facts_.emplace_back(event, source_.shown(at, keys));
  }

  /// Adds the failure of a pod. `about`: the object with the reason and the message.
  void add_end(std::string_view pod, const Json& about) {
    add({.why = text(about, "reason"), .program = {}, .host = pod, .about = "pod", .detail = text(about, "message")},
        about, {"reason", "message"});
  }

  void add_start(std::string_view pod, std::string_view reason, const Json& about) {
    add({.why = reason, .program = {}, .host = pod, .about = "unstarted-pod", .detail = text(about, "message")}, about,
        {"reason", "message"});
  }

  void read_container(const Json& container, std::string_view pod) {
    for (const char* const when : {"lastState", "state"}) {
      const Json& ended = object(object(container, when), "terminated");
      const std::int64_t code = integer(ended, "exitCode");
      if (code <= 0 || code > 255) continue;
      add({.why = text(ended, "reason"),
           .program = text(container, "name"),
           .host = pod,
           .code = static_cast<int>(code),
           .about = "pod",
           .detail = text(ended, "finishedAt")},
          ended, {"exitCode", "reason"});
    }
    const Json& waiting = object(object(container, "state"), "waiting");
    if (is_one_of(start_reasons, text(waiting, "reason"))) add_start(pod, text(waiting, "reason"), waiting);
  }

  JsonText& source_;
  Facts& facts_;
  std::set<std::tuple<std::string, std::string, std::string, std::string, int, std::string>> known_;
};

}  // namespace

void read_pod_states(const Json& document, JsonText& source, Facts& facts) {
  const auto pod_of = [](const Json& event) -> std::string_view {
    const Json& about = object(event, "involvedObject");
    return text(about, "kind") == "Pod" ? text(about, "name") : std::string_view{};
  };
  std::map<std::string_view, std::string_view> started;  // when each pod started last
  for (const Json& item : list(document, "items"))
    if (text(item, "reason") == "Started") {
      std::string_view& time = started.emplace(pod_of(item), std::string_view{}).first->second;
      time = std::max(time, text(item, "lastTimestamp"));
    }
  States states(source, facts);
  states.read_pod(document);
  for (const Json& item : list(document, "items")) {
    const std::string_view pod = pod_of(item);
    if (pod.empty()) states.read_pod(item);
    // A failure to start does not count if the pod started later. Times of events are in UTC, in one format.
    else if (!started.contains(pod) || is_one_of(end_reasons, text(item, "reason")) ||
             (!started.at(pod).empty() && text(item, "lastTimestamp") > started.at(pod)))
      states.read_event(item, pod);
  }
}

}  // namespace nccl_analyze::evidence
