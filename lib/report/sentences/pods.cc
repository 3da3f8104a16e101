// Describes the pods of Kubernetes manifests.

#include "report/sentences/pods.h"

#include <optional>
#include <string_view>

#include "queries/benchmarks.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_pods = 16;

/// Returns `5 GiB` for huge pages, `8` for devices.
std::string amount_text(const PodResource& resource) {
  if (resource.amount < 0) return "an unknown number";
  return resource.name.view().starts_with("hugepages-") ? size_text(resource.amount) : std::to_string(resource.amount);
}

std::string shm_text(const Pod& pod, const PodContainer& container) {
  if (pod.host_ipc) return "/dev/shm of the node";
  const PodVolume* const volume = pod.shm_of(container);
  if (volume == nullptr) return pod.complete ? "no volume at /dev/shm" : std::string();
  if (!volume->in_memory) return "a volume at /dev/shm";
  return volume->limit < 0 ? "memory at /dev/shm" : "memory of at most " + size_text(volume->limit) + " at /dev/shm";
}

std::string container_text(const Pod& pod, const PodContainer& container) {
  std::string text = container.name.empty() ? std::string("a container") : "container " + container.name.str();
  std::string list;
  for (const PodResource& resource : container.resources)
    append_item(list, resource.name.str() + " " + amount_text(resource));
  if (container.privileged) append_item(list, "privileged");
  if (container.ipc_lock) append_item(list, "IPC_LOCK");
  if (const std::string shm = shm_text(pod, container); !shm.empty()) append_item(list, shm);
  return list.empty() ? text : text + ": " + list;
}

std::string pod_text(const Pod& pod) {
  std::string text = pod.kind == "Pod" ? "pod" : "pods of the " + pod.kind;
  if (!pod.name.empty()) text += " " + pod.name;
  if (!pod.node.empty()) text += " on node " + pod.node;
  if (pod.host_network) text += ", network of the node";
  if (!pod.complete) text += ", manifest not fully read";
  for (const PodContainer& container : pod.containers) text += "; " + container_text(pod, container);
  return text;
}

}  // namespace

std::vector<std::string> describe_manifests(const Model& model) {
  std::vector<std::string> texts;
  for (const Pod& pod : model.pods) {
    if (texts.size() == max_pods) {
      texts.push_back("and " + std::to_string(model.pods.size() - max_pods) + " more");
      break;
    }
    texts.push_back(pod_text(pod));
  }
  return texts;
}

}  // namespace nccl_analyze
