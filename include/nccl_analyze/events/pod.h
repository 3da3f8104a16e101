#pragma once
/// Events of Kubernetes manifests (`kubectl get pod -o yaml` or `-o json`, and files for `kubectl apply`).

#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// A pod, or the pod template of a workload, began. The events below belong to the last pod that began in their source.
struct PodManifestStarted {
  static constexpr std::string_view name = "pod_manifest_started";
  std::string_view kind;  ///< `Pod`, or the kind of the workload: `Job`, `PyTorchJob`.
  NCCL_ANALYZE_FIELDS(PodManifestStarted, kind)
};

/// A value of the manifest. Only values that lib/evidence/manifest_keys.cc lists are read, because others may be
/// secret.
struct PodManifestValue {
  static constexpr std::string_view name = "pod_manifest_value";
  std::string_view part;  ///< `pod`, `container` or `volume`.
  int index = -1;         ///< Position of the container or volume in its list, from 0; 0 for the pod.
  std::string_view key;   ///< `name`, `namespace`, `node`, …; for a container also the name of a requested resource.
  std::string_view value;
  NCCL_ANALYZE_FIELDS(PodManifestValue, part, index, key, value)
};

/// The manifest ended.
struct PodManifestEnded {
  static constexpr std::string_view name = "pod_manifest_ended";
  bool complete = false;  ///< False if a needed value was in a notation that is not read, such as a YAML anchor.
  NCCL_ANALYZE_FIELDS(PodManifestEnded, complete)
};

}  // namespace nccl_analyze
