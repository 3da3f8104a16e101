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

/// A reference of an object to the object that it belongs to.
struct OwnerRef {
  std::string resource;  ///< The kind as kubectl takes it: `ReplicaSet.v1.apps`.
  std::string uid;
};

struct Pod {
  std::string name_space, name, uid;
  std::vector<OwnerRef> owners;
  std::map<std::string, std::string> labels;
  std::vector<Container> containers;  ///< The containers that the query selects.
  std::size_t others = 0;             ///< Number of containers that the query does not select.
  std::string state;                  ///< Why containers have not started: `Pending`, `ImagePullBackOff`.
  bool finished = false;              ///< Whether all containers have ended and none will start again.
  /// The pod and its events as JSON for nccl-analyze, without the members that it never needs, which may contain
  /// secrets.
  std::string manifest;
  std::vector<std::string> events;
};

struct PodList {
  std::vector<Pod> pods;             ///< Pods of the query, sorted by namespace and name.
  std::vector<std::string> refused;  ///< Invalid names as the API server sent them, for messages only.
  /// Number of listed pods with each label, including pods that the query does not select; the key is `label=value`.
  std::map<std::string, std::size_t> label_counts;
};

/// Reads what `kubectl get pods -o json` printed. Throws Failure if it is no list of pods.
PodList read_pods(std::string_view json, const Query& query);

/// Reads what `kubectl get events -o json` printed, and sets the events of the pods.
void add_events(std::string_view json, std::vector<Pod>& pods);

/// Reads the uid of the object that `kubectl get KIND/NAME -o json` printed. Throws Failure if there is none.
std::string read_uid(std::string_view json);

/// Reads the owners of the objects that `kubectl get KIND -o json` printed, by the uid of the owned object.
std::map<std::string, std::vector<OwnerRef>> read_owners(std::string_view json);

/// Formats the objects as one List for a file, with each value on a line of its own, so that a report can quote it;
/// empty if there are no objects.
std::string list_of(std::span<const std::string> objects);

/// Formats the objects as Lists for a stream, each on one line. A line with several objects has less than 1 MiB, the
/// limit of nccl-analyze.
std::string lists_of(std::span<const std::string> objects);

}  // namespace nccl_analyze::kubectl
