// Runs `kubectl get`.

#include "cli/kubectl/listing.h"

#include <utility>

#include "cli/kubectl/calls.h"
#include "cli/kubectl/messages.h"
#include "cli/kubectl/owners.h"

namespace nccl_analyze::kubectl {

std::vector<std::string> get_arguments(const CommandLine& line, const std::string& what) {
  std::vector<std::string> arguments = {"kubectl"};
  arguments.insert(arguments.end(), line.cluster.begin(), line.cluster.end());
  arguments.insert(arguments.end(), {"get", what, "--output=json", "--request-timeout=60s"});
  if (line.all_namespaces) arguments.emplace_back("--all-namespaces");
  if (!line.name_space.empty()) arguments.push_back("--namespace=" + line.name_space);
  return arguments;
}

Listing list_pods(const CommandLine& line, const Query& query, Owners* owners, bool quiet, Interrupts& interrupts) {
  Listing listing;
  for (const std::string& selector : query.selectors()) {
    std::vector<std::string> arguments = get_arguments(line, "pods");
    if (!selector.empty()) arguments.push_back("--selector=" + selector);
    if (!query.pod().empty()) arguments.push_back("--field-selector=metadata.name=" + query.pod());
    const CommandResult finished = run_kubectl(arguments, quiet, interrupts);
    listing.interrupted = finished.interrupted;
    if (finished.interrupted) return listing;
    if (finished.status != 0) {
      listing.error = "kubectl could not list the pods" +
                      (finished.error.empty() ? " (see above)" : ": " + finished.error) +
                      "; check -n, --context and `kubectl auth can-i list pods`";
      return listing;
    }
    listing.list = read_pods(finished.output, query);
    listing.selector = selector;
    if (owners != nullptr) listing.interrupted = owners->keep_owned(listing.list);
    if (!listing.list.pods.empty() || !listing.list.refused.empty()) break;
  }
  return listing;
}

void list_events(const CommandLine& line, std::vector<Pod>& pods, Interrupts& interrupts) {
  const CommandResult finished = run_kubectl(get_arguments(line, "events"), true, interrupts);
  if (finished.interrupted) return;
  if (finished.status == 0) return add_events(finished.output, pods);
  say("the events of the pods are not read: " + finished.error);
}

}  // namespace nccl_analyze::kubectl
