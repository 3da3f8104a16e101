#include "evidence/manifest_keys.h"

#include <algorithm>
#include <array>

namespace nccl_analyze::evidence {

/// A namespace of its own, because the short names of the table mean other things in other files.
namespace manifest_table {

using enum ManifestReading;
using enum ManifestRedaction;

// Kubernetes API v1: ObjectMeta, PodSpec, Container, PodStatus, Event.
constexpr std::array<ManifestKey, 47> rows{{
    {"apiVersion", keep},
    {"kind", keep, object},
    {"namespace", name_space},
    {"metadata/name", name_pod, object},
    {"metadata/namespace", name_space, object},
    {"metadata/ownerReferences/*/name", name_pod},

    {"spec/hostNetwork", keep, text, "pod", "host-network"},
    {"spec/hostIPC", keep, text, "pod", "host-ipc"},
    {"spec/hostname", keep, text, "pod", "hostname"},
    {"spec/nodeName", keep, text, "pod", "node"},
    {"spec/initContainers/*/name", name_container},
    {"spec/ephemeralContainers/*/name", name_container},
    {"spec/containers/*/name", name_container, text, "container", "name"},
    {"spec/containers/*/securityContext/privileged", keep, text, "container", "privileged"},
    {"spec/containers/*/securityContext/capabilities/add/*", keep_capability, capability, "container", "capability"},
    {"spec/containers/*/resources/limits/{}", keep_quantity, amount, "container"},
    {"spec/containers/*/resources/requests/{}", keep_quantity, amount, "container"},
    {"spec/containers/*/resources/claims/*/name", keep, claim},
    {"spec/containers/*/volumeMounts/*/name", keep, mount},
    {"spec/containers/*/volumeMounts/*/mountPath", keep, mount},
    {"spec/volumes/*/name", keep, text, "volume", "name"},
    {"spec/volumes/*/emptyDir/medium", keep, text, "volume", "medium"},
    {"spec/volumes/*/emptyDir/sizeLimit", keep_quantity, size, "volume", "limit"},

    {"involvedObject/name", name_pod, state},
    {"status/initContainerStatuses/*/name", name_container, state},
    {"status/containerStatuses/*/name", name_container, state},
    {"status/ephemeralContainerStatuses/*/name", name_container},
    {"exitCode", keep, state},
    {"finishedAt", keep, state},
    {"lastTimestamp", keep, state},
    {"message", keep_message, state},
    {"phase", keep, state},
    {"reason", keep, state},
    {"status", keep, state},
    {"type", keep, state},

    {"annotations", hide},
    {"args", hide},
    {"command", hide},
    {"data", hide},
    {"env", keep_settings},
    {"envFrom", hide},
    {"exec", hide},
    {"labels", hide},
    {"matchExpressions", hide},
    {"matchLabels", hide},
    {"nodeSelector", hide},
    {"stringData", hide},
}};

}  // namespace manifest_table

namespace {

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Removes the last part of a path, and positions in lists before it.
std::string_view without_last_part(std::string_view path) {
  path = path.substr(0, path.size() - last_part(path).size());
  while (path.ends_with('/') || path.ends_with('*')) path.remove_suffix(1);
  return path;
}

bool fits(const ManifestKey& row, std::string_view parent, std::string_view key) {
  const std::string_view path = last_part(row.path) == "*" ? without_last_part(row.path) : row.path;
  const std::string_view own = last_part(path), above = last_part(without_last_part(path));
  return (own == key || own == "{}") && (above.empty() || above == parent);
}

}  // namespace

std::span<const ManifestKey> manifest_keys() { return manifest_table::rows; }

const ManifestKey* find_manifest_key(std::string_view parent, std::string_view key) {
  const std::span<const ManifestKey> rows = manifest_keys();
  const auto found = std::ranges::find_if(rows, [&](const ManifestKey& row) { return fits(row, parent, key); });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace nccl_analyze::evidence
