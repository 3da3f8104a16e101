#pragma once
/// The pods of a query and what Kubernetes says about them.

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/kubectl/query.h"

namespace nccl_analyze::kubectl {

/// A container whose name matches the query. Init containers and ephemeral containers count.
struct Container {
  std::string name;
  bool started = false;    ///< It runs or has run, so that it has a log.
  bool running = false;    ///< More lines may come.
  bool restarted = false;  ///< There is a log from before the last restart.
};

struct Pod {
  std::string name_space, name;
  std::map<std::string, std::string> labels;
  std::vector<Container> containers;  ///< Those that the query means.
  std::size_t others = 0;             ///< Number of containers that it does not mean.
  std::string state;                  ///< Why containers have not started: `Pending`, `ImagePullBackOff`.
  bool finished = false;              ///< All containers have ended and none will start again.
};

struct PodList {
  std::vector<Pod> pods;             ///< Pods of the query, sorted by namespace and name.
  std::vector<std::string> refused;  ///< Names that can be none and are used nowhere, as the API server sent them.
  /// Number of listed pods with each label, pods that the query does not select included; the key is `label=value`.
  std::map<std::string, std::size_t> label_counts;
  /// The pods of the query as JSON, for nccl-analyze; only keys that it may need, because others may be secret.
  std::vector<std::string> manifests;
};

/// Reads what `kubectl get pods -o json` printed. Throws Failure if it is no list of pods.
PodList read_pods(std::string_view json, const Query& query);

/// Reads what `kubectl get events -o json` printed. Returns the events about the pods as JSON for nccl-analyze.
std::vector<std::string> events_about(std::string_view json, const std::vector<Pod>& pods);

/// One List with these objects for a file, a value on each line so that evidence finds it; empty if there are none.
std::string list_of(std::span<const std::string> objects);

/// Lists of these objects, each on a line that nccl-analyze reads in a stream: shorter than 1 MiB.
std::string lists_of(std::span<const std::string> objects);

}  // namespace nccl_analyze::kubectl
