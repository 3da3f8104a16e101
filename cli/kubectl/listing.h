#pragma once
/// Asks kubectl for the pods of the query and for their events.

#include <string>
#include <vector>

#include "cli/kubectl/command_line.h"
#include "cli/kubectl/pods.h"
#include "input/interrupts.h"

namespace nccl_analyze::kubectl {

class Owners;

struct Listing {
  PodList list;
  std::string selector;      ///< The selector with which the pods were found; empty: none was needed.
  std::string error;         ///< Why kubectl could not list the pods, and what to do; empty if it could.
  bool interrupted = false;  ///< Whether the user interrupted kubectl.
};

/// The arguments of `kubectl get WHAT` in the namespace of the command line, for JSON.
std::vector<std::string> get_arguments(const CommandLine& line, const std::string& what);

/// Lists the pods of the query. `owners`: those of the query's workload, if it has one. `quiet`: the user does not see
/// what kubectl writes on standard error.
Listing list_pods(const CommandLine& line, const Query& query, Owners* owners, bool quiet, Interrupts& interrupts);

/// Sets the events of the pods. The pods have none if kubectl fails, which is reported to the user, or is interrupted.
void list_events(const CommandLine& line, std::vector<Pod>& pods, Interrupts& interrupts);

}  // namespace nccl_analyze::kubectl
