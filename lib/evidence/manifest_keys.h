#pragma once
// The keys of Kubernetes manifests, statuses and events whose values are known: whether they are read, where, and how
// `redact` treats them. One table serves the readers and the redactor, because what is read must stay and nothing else.

#include <span>
#include <string_view>

namespace nccl_analyze::evidence {

/// What is read from a value.
enum class ManifestReading : unsigned char {
  none,        ///< Nothing. The value stays or is hidden for another reason.
  object,      ///< The kind and the name of the object.
  state,       ///< Why a pod failed or has not started. Read in JSON only.
  text,        ///< The value as it is.
  size,        ///< A quantity such as `64Gi`.
  amount,      ///< A quantity of a resource, if the resource is a device or huge pages.
  capability,  ///< Whether it is IPC_LOCK.
  mount,       ///< The volume that is mounted at /dev/shm.
  claim        ///< That there is a claim. The manifest does not show its devices.
};

/// What `redact` does with a value. Values of keys that the table does not hold are masked.
enum class ManifestRedaction : unsigned char {
  keep,
  name_pod,  ///< The name of a pod or another object; like the next two, another name takes its place everywhere.
  name_container,
  name_space,
  keep_quantity,    ///< Masked if it is no quantity.
  keep_capability,  ///< Masked if it is not in capitals.
  keep_message,     ///< Names of images in it are masked.
  keep_settings,    ///< `env`: documented settings of NCCL stay, all else below is masked, with its keys.
  hide              ///< Everything below is masked, with its keys, which may contain anything.
};

struct ManifestKey {
  /// The way to the value from the root of the object: `*` stands for positions in a list, `{}` for any key. A single
  /// key may stand anywhere.
  std::string_view path;
  ManifestRedaction redaction;
  ManifestReading reading = ManifestReading::none;
  std::string_view part = {}, fact = {};  ///< `part` and `key` of the fact (PodManifestValue), for `text` and `size`.
};

std::span<const ManifestKey> manifest_keys();

/// Returns the row for a key in an object; null if there is none. `parent`: the key whose value is the object, or the
/// list that contains the object. An item of a list has the key of its list.
const ManifestKey* find_manifest_key(std::string_view parent, std::string_view key);

}  // namespace nccl_analyze::evidence
