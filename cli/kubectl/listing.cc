// Runs `kubectl get`.

#include "cli/kubectl/listing.h"

#include <utility>

#include "cli/kubectl/calls.h"
#include "cli/kubectl/messages.h"

namespace nccl_analyze::kubectl {

namespace {

std::vector<std::string> get(const CommandLine& line, const std::string& what) {
  std::vector<std::string> arguments = {"kubectl"};
  arguments.insert(arguments.end(), line.cluster.begin(), line.cluster.end());
  arguments.insert(arguments.end(), {"get", what, "--output=json", "--request-timeout=60s"});
  if (line.all_namespaces) arguments.emplace_back("--all-namespaces");
  if (!line.name_space.empty()) arguments.push_back("--namespace=" + line.name_space);
  return arguments;
}

}  // namespace

Listing list_pods(const CommandLine& line, const Query& query, bool quiet, Interrupts& interrupts) {
  Listing listing;
  for (const std::string& selector : query.selectors()) {
    std::vector<std::string> arguments = get(line, "pods");
    if (!selector.empty()) arguments.push_back("--selector=" + selector);
    const CommandResult finished = run_kubectl(arguments, quiet, interrupts);
    listing.interrupted = finished.interrupted;
    if (finished.interrupted) return listing;
    if (finished.status != 0) {
      listing.error = "kubectl could not list the pods" + (finished.error.empty() ? "" : ": " + finished.error);
      return listing;
    }
    listing.list = read_pods(finished.output, query);
    listing.selector = selector;
    if (!listing.list.pods.empty() || !listing.list.refused.empty()) break;
  }
  return listing;
}

std::vector<std::string> list_events(const CommandLine& line, const std::vector<Pod>& pods, Interrupts& interrupts) {
  const CommandResult finished = run_kubectl(get(line, "events"), true, interrupts);
  if (finished.interrupted) return {};
  if (finished.status == 0) return events_about(finished.output, pods);
  say("the events of the pods are not read: " + finished.error);
  return {};
}

}  // namespace nccl_analyze::kubectl
