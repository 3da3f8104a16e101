#pragma once
/// The pods of a query, and the states and events that Kubernetes reports about them.

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
  bool started = false;    ///< Whether it runs or has run, so that it has a log.
  bool running = false;    ///< Whether more lines may come.
  bool restarted = false;  ///< Whether there is a log from before the last restart.
};

struct Pod {
  std::string name_space, name;
  std::map<std::string, std::string> labels;
  std::vector<Container> containers;  ///< The containers that the query selects.
  std::size_t others = 0;             ///< Number of containers that the query does not select.
  std::string state;                  ///< Why containers have not started: `Pending`, `ImagePullBackOff`.
  bool finished = false;              ///< Whether all containers have ended and none will start again.
};

struct PodList {
  std::vector<Pod> pods;             ///< Pods of the query, sorted by namespace and name.
  std::vector<std::string> refused;  ///< Invalid names as the API server sent them, for messages only.
  /// Number of listed pods with each label, including pods that the query does not select; the key is `label=value`.
  std::map<std::string, std::size_t> label_counts;
  /// The pods of the query as JSON for nccl-analyze, without the members that it never needs, which may contain
  /// secrets.
  std::vector<std::string> manifests;
};

/// Reads what `kubectl get pods -o json` printed. Throws Failure if it is no list of pods.
PodList read_pods(std::string_view json, const Query& query);

/// Reads what `kubectl get events -o json` printed. Returns the events about the pods as JSON for nccl-analyze.
std::vector<std::string> events_about(std::string_view json, const std::vector<Pod>& pods);

/// Formats the objects as one List for a file, with each value on a line of its own, so that a report can quote it;
/// empty if there are no objects.
std::string list_of(std::span<const std::string> objects);

/// Formats the objects as Lists for a stream, each on one line. A line with several objects has less than 1 MiB, the
/// limit of nccl-analyze.
std::string lists_of(std::span<const std::string> objects);

}  // namespace nccl_analyze::kubectl
