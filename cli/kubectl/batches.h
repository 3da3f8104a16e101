#pragma once
/// Calls of `kubectl logs`, each for the pods that one label selector finds, so that a job of hundreds of pods needs
/// few processes.

#include <set>
#include <string>
#include <vector>

#include "cli/kubectl/command_line.h"
#include "cli/kubectl/pods.h"
#include "cli/kubectl/streams.h"

namespace nccl_analyze::kubectl {

/// One call of `kubectl logs`.
struct Batch {
  std::string name_space;
  std::string selector;   ///< Empty: the call reads the one pod of `streams`.
  std::string container;  ///< Empty: all containers.
  bool previous = false;
  std::vector<StreamName> streams;  ///< Sorted.
  int tries = 0;                    ///< How often the call has failed.
};

/// Makes calls that read the streams. StreamName::previous must be the same for all of them. `selector` is the selector
/// with which the pods of `list` were found; empty: none was needed. A call reads all containers of its pods only if
/// each of them has a log, because old releases of kubectl end a call at the first container without one.
std::vector<Batch> make_batches(const std::set<StreamName>& streams, const PodList& list, const std::string& selector);

/// Makes a call for each stream, without a selector.
std::vector<Batch> single_batches(const std::set<StreamName>& streams);

/// Returns the command and arguments of the call. If all its streams were read in part, the call reads from shortly
/// before the earliest of their last lines on.
std::vector<std::string> arguments_of(const Batch& batch, const CommandLine& line, const Streams& streams);

}  // namespace nccl_analyze::kubectl
