// Tests that statuses and events of pods become incidents, and that those of other jobs do not count as failures of
// this job.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "evidence/evidence_models.h"
#include "nccl_analyze/events/external.h"

namespace nccl_analyze::evidence {
namespace {

std::string event(std::string_view pod, std::string_view reason, std::string_view message,
                  std::string_view kind = "Pod") {
  std::string text = R"({"apiVersion":"v1","kind":"Event","involvedObject":{"kind":")";
  text.append(kind).append(R"(","name":")").append(pod).append(R"("},"reason":")").append(reason);
  return text.append(R"(","message":")").append(message).append("\"}");
}

std::string list(const std::string& items) { return R"({"apiVersion":"v1","items":[)" + items + R"(],"kind":"List"})"; }

std::string pod(std::string_view name, std::string_view status) {
  std::string text = R"({"kind":"Pod","metadata":{"name":")";
  text.append(name).append(R"("},"spec":{"containers":[{"name":"main"}]},"status":)").append(status);
  return text.append("}");
}

constexpr std::string_view killed =
    R"({"containerStatuses":[{"name":"main","lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled"}}}]})";
constexpr std::string_view log =
    "llama-worker-0:101:101 [0] NCCL INFO ncclCommInitRank comm 0x1 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 "
    "commId 0xabc - Init START\n";

/// `pod llama-worker-1: Evicted: no memory`
std::string end_of(const Incident& incident) {
  const auto& ended = incident.event.as<ProcessEnded>();
  std::string text(ended.about);
  for (const auto& [before, part] : {std::pair{" ", ended.host}, std::pair{"/", ended.program},
                                     std::pair{": ", ended.why}, std::pair{": ", ended.detail}})
    if (!part.empty()) text.append(before).append(part);
  return text;
}

std::vector<std::string> ends_of(const Model& model) {
  std::vector<std::string> found;
  for (const Incident& incident : model.incidents) found.push_back(end_of(incident));
  return found;
}

/// The incidents about pods that harmed the job of `log`.
std::vector<std::string> harm_of(const std::string& json) {
  const Model model = model_of({{"events.json", json}, {"log", std::string(log)}});
  std::vector<std::string> found;
  for (const Incident& incident : model.incidents)
    if (!incident.survived) found.push_back(end_of(incident));
  CHECK(ends_of(through_summaries({{"events.json", json}, {"log", std::string(log)}})) == ends_of(model));
  return found;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("evidence: a container that was killed for memory belongs to the process of its pod") {
  const Model model = model_of({{"log", std::string(log)}, {"pods.json", list(pod("llama-worker-0", killed))}});
  REQUIRE(model.incidents.size() == 1);
  CHECK(model.incidents[0].kind == IncidentKind::memory_killed);
  CHECK(model.incidents[0].process == 0);
  CHECK(end_of(model.incidents[0]) == "pod llama-worker-0/main: OOMKilled");
  CHECK(model.incidents[0].event.as<ProcessEnded>().code == 137);
  CHECK(model.quote(model.incidents[0].evidence.lines[0]) == list(pod("llama-worker-0", killed)));
  CHECK(model.pods.size() == 1);
}

TEST_CASE("evidence: events about pods of the job") {
  CHECK(harm_of(list(event("llama-worker-1", "Evicted", "no memory"))) ==
        Texts{"pod llama-worker-1: Evicted: no memory"});
  CHECK(harm_of(list(event("llama-worker-1", "FailedScheduling", "0/5 nodes"))) ==
        Texts{"unstarted-pod llama-worker-1: FailedScheduling: 0/5 nodes"});
  CHECK(harm_of(list(event("llama-launcher-x7k2p", "Failed", "Error: ImagePullBackOff"))) ==
        Texts{"unstarted-pod llama-launcher-x7k2p: ImagePullBackOff: Error: ImagePullBackOff"});
  // Events and pods in one list, as `kubectl get pods,events` prints them.
  CHECK(
      harm_of(list(pod("llama-worker-0", killed) + "," + event("llama-worker-1", "Preempted", "by another"))).size() ==
      2);
}

TEST_CASE("evidence: events that explain nothing") {
  CHECK(harm_of(list(event("other-worker-1", "Evicted", "no memory"))).empty());
  CHECK(harm_of(list(event("llama-worker-1", "Evicted", "no memory", "Node"))).empty());
  CHECK(harm_of(list(event("llama-worker-0", "FailedScheduling", "it has started since"))).empty());
  CHECK(harm_of(list(event("llama-worker-1", "FailedScheduling", "0/5 nodes") + "," +
                     event("llama-worker-1", "Started", "Started container main")))
            .empty());
  CHECK(harm_of(list(event("llama-worker-1", "Pulling", "image"))).empty());
}

TEST_CASE("evidence: a failure to start counts if it is later than the last start of the pod") {
  const auto at = [](std::string event, std::string_view time) {
    return event.insert(event.size() - 1, std::string(R"(,"lastTimestamp":")").append(time).append("\""));
  };
  const std::string failed = event("llama-worker-1", "ErrImagePull", "no sidecar");
  const std::string started = at(event("llama-worker-1", "Started", "Started container main"), "2026-01-05T10:00:00Z");
  const auto ends = [&](std::string_view time) { return harm_of(list(started + "," + at(failed, time))).size(); };
  CHECK(ends("2026-01-05T10:00:07Z") == 1);
  CHECK(ends("2026-01-05T09:59:07Z") == 0);
  CHECK(harm_of(list(started + "," + failed)).empty());
}

TEST_CASE("evidence: events in a stream, each list on a line") {
  const std::string text = std::string(log) + list(event("llama-worker-1", "Evicted", "one")) + "\n" +
                           list(pod("llama-worker-1", killed)) + "\n";
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, text.size()})
    CHECK(model_of_text(text, chunk).incidents.size() == 2);
}

TEST_CASE("evidence: names and messages of events are any bytes") {
  const std::string evil = R"(a\u001b[31m\n pod x: y: z)";
  for (const std::string& end : harm_of(list(event(evil, "Evicted", evil))))
    CHECK(std::ranges::none_of(end, [](char c) { return c == '\n' || c == '\x1b'; }));
  const std::string whole = list(event("llama-worker-1", "Evicted", "no memory") + "," + pod("p", killed));
  for (std::size_t size = 0; size < whole.size(); ++size)
    model_of({{"events.json", whole.substr(0, size)}, {"log", std::string(log)}});
}

}  // namespace nccl_analyze::evidence
