#pragma once
/// Asks kubectl for the pods of the query and for their events.

#include <string>
#include <vector>

#include "cli/kubectl/command_line.h"
#include "cli/kubectl/pods.h"
#include "input/interrupts.h"

namespace nccl_analyze::kubectl {

struct Listing {
  PodList list;
  std::string selector;      ///< The selector with which the pods were found; empty: none was needed.
  std::string error;         ///< Why kubectl could not list the pods; empty if it could.
  bool interrupted = false;  ///< Whether the user interrupted kubectl.
};

/// Lists the pods. `quiet`: the user does not see what kubectl writes on standard error.
Listing list_pods(const CommandLine& line, const Query& query, bool quiet, Interrupts& interrupts);

/// Returns the events about the pods as JSON for nccl-analyze. Empty if kubectl fails, which is reported to the user,
/// or is interrupted.
std::vector<std::string> list_events(const CommandLine& line, const std::vector<Pod>& pods, Interrupts& interrupts);

}  // namespace nccl_analyze::kubectl
