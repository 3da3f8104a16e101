#pragma once
/// Pods as their Kubernetes manifests declare them.

#include <cstdint>
#include <string>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// A resource that a container requests, other than processors and memory.
struct PodResource {
  Text name;  ///< `nvidia.com/gpu`, `vpc.amazonaws.com/efa`, `rdma/hca`, `hugepages-2Mi`
  /// Number of devices, or bytes of huge pages: the larger one of the limit and the request.
  std::int64_t amount = -1;
};

struct PodContainer {
  LineRef at;  ///< The first line about the container.
  Text name;
  std::vector<PodResource> resources;  ///< Sorted by name.
  bool privileged = false;
  bool ipc_lock = false;  ///< Whether securityContext adds the capability IPC_LOCK, or all capabilities.
  Text shm_volume;        ///< Name of the volume that is mounted at /dev/shm; empty: none.

  /// Returns the amount of a resource; 0 if the container does not request it, -1 if the amount is unreadable.
  std::int64_t amount(std::string_view resource) const;
};

struct PodVolume {
  Text name;
  bool in_memory = false;   ///< `emptyDir` with `medium: Memory`.
  std::int64_t limit = -1;  ///< `sizeLimit` in bytes; -1: none.
};

/// A pod, or the pod template of a workload. Init containers are not read.
struct Pod {
  LineRef at;
  std::string kind;           ///< `Pod`; for a template the kind of the workload: `Job`, `PyTorchJob`.
  std::string name;           ///< For a template the name of the workload.
  std::string name_space;     ///< The namespace.
  std::string node;           ///< The node that the pod was bound to.
  std::string hostname;       ///< `spec.hostname`; empty: the host name in the pod is the pod's name.
  bool host_network = false;  ///< Whether the pod uses the network, and the host name, of its node.
  bool host_ipc = false;      ///< Whether the pod uses the /dev/shm of its node.
  bool complete = false;      ///< Whether the whole manifest was read; if not, a missing value proves nothing.
  Table<PodContainer> containers;
  Table<PodVolume> volumes;
  std::vector<Index> hosts;  ///< Sorted indices into Model::hosts of the hosts that this manifest declares.

  /// Returns the volume that the container mounts at /dev/shm; null if there is none, or if `volumes` lacks it.
  const PodVolume* shm_of(const PodContainer& container) const;
};

}  // namespace nccl_analyze
