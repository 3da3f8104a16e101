// Finds what the Kubernetes manifest of a process lacks.

#include "rules/support/pods.h"

#include <algorithm>

#include "nccl_analyze/rule_parts.h"
#include "queries/benchmarks.h"
#include "queries/platform.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

constexpr std::string_view efa = "vpc.amazonaws.com/efa";

struct PodPlace {
  const Pod* pod = nullptr;
  const PodContainer* container = nullptr;
};

bool asks_for_gpu(const PodContainer& container) {
  return std::ranges::any_of(container.resources, [](const PodResource& resource) {
    return resource.name == "nvidia.com/gpu" || resource.name == "amd.com/gpu" ||
           resource.name.view().starts_with("nvidia.com/mig-");
  });
}

/// Returns the container `name`. Without a name, returns the only container, or the only one that asks for GPUs.
/// nullptr if there is none.
const PodContainer* container_of(const Pod& pod, std::string_view name) {
  const PodContainer* found = nullptr;
  for (const PodContainer& container : pod.containers) {
    if (!name.empty() && container.name.view() == name) return &container;
    if (pod.containers.size() > 1 && !asks_for_gpu(container)) continue;
    if (found != nullptr) return nullptr;
    found = &container;
  }
  return name.empty() ? found : nullptr;
}

/// Returns the manifest and the container of the process. The container is nullptr if it is uncertain. Both are nullptr
/// if the host of the process has no manifest, or if the manifest was not read completely.
PodPlace place_of(const Model& model, Index index) {
  const Process* const process = process_of(model, index);
  if (process == nullptr || process->host_index < 0) return {};
  for (const Pod& pod : model.pods) {
    if (!std::ranges::binary_search(pod.hosts, process->host_index)) continue;
    if (!pod.complete) return {};
    return {&pod, container_of(pod, process->container.view())};
  }
  return {};
}

/// Returns the first lack that `ask` finds among the processes whose container is known; nullopt if it finds none.
template <class Ask>
std::optional<PodLack> first_lack(const Model& model, const std::vector<Index>& processes, Ask ask) {
  if (model.pods.empty()) return std::nullopt;
  for (const Index index : processes) {
    const PodPlace place = place_of(model, index);
    if (place.container == nullptr) continue;
    std::optional<PodLack> lack = ask(*place.pod, *place.container);
    if (lack) return lack;
  }
  return std::nullopt;
}

std::string manifest_text(const Pod& pod, const PodContainer& container) {
  std::string text =
      concat("the manifest of ", pod.kind == "Pod" ? std::string("pod") : concat("the ", excerpt(pod.kind, 40)), " ",
             excerpt(pod.name, 80));
  if (pod.containers.size() > 1) text += concat(" (container ", excerpt(container.name, 40), ")");
  return text;
}

LineRef line_of(const Pod& pod, const PodContainer& container) { return container.at.line > 0 ? container.at : pod.at; }

/// Whether the resource may be an RDMA device. Device plugins choose the names of their resources, so every resource
/// other than GPUs and huge pages may be one.
bool may_be_rdma(const PodResource& resource) {
  const std::string_view name = resource.name.view();
  return !name.starts_with("nvidia.com/gpu") && !name.starts_with("nvidia.com/mig-") && name != "amd.com/gpu" &&
         !name.starts_with("hugepages-");
}

/// Whether the name shows that the resource is an RDMA device, by the names that the device plugins of NVIDIA, the
/// SR-IOV operator and the clouds use.
bool is_rdma(std::string_view name) {
  constexpr std::string_view parts[] = {"rdma", "/hca", "hostdev", "infiniband", "mlnxnic"};
  return name == efa || std::ranges::any_of(
                            parts, [name](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

}  // namespace

PodRequest rdma_request(const Model& model, Index process) {
  const PodPlace place = model.pods.empty() ? PodPlace{} : place_of(model, process);
  if (place.container == nullptr) return {};
  for (const PodResource& resource : place.container->resources)
    if (resource.amount > 0 && is_rdma(resource.name.view()))
      return {resource.name.view(), resource.name.view() == efa, line_of(*place.pod, *place.container)};
  return {};
}

std::optional<PodLack> lacks_efa(const Model& model, const std::vector<Index>& processes) {
  return first_lack(model, processes, [](const Pod& pod, const PodContainer& container) -> std::optional<PodLack> {
    if (container.privileged || container.amount(efa) != 0) return std::nullopt;
    return PodLack{concat(manifest_text(pod, container), " asks for no ", efa), line_of(pod, container)};
  });
}

std::optional<PodLack> lacks_rdma(const Model& model, const std::vector<Index>& processes) {
  return first_lack(model, processes, [](const Pod& pod, const PodContainer& container) -> std::optional<PodLack> {
    if (container.privileged || std::ranges::any_of(container.resources, may_be_rdma)) return std::nullopt;
    return PodLack{concat(manifest_text(pod, container), " asks for no RDMA device"), line_of(pod, container)};
  });
}

std::optional<PodLack> lacks_device(const Model& model, const std::vector<Index>& processes) {
  return is_on_aws(model, processes) ? lacks_efa(model, processes) : lacks_rdma(model, processes);
}

std::optional<PodLack> lacks_shm(const Model& model, const std::vector<Index>& processes) {
  return first_lack(model, processes, [](const Pod& pod, const PodContainer& container) -> std::optional<PodLack> {
    if (pod.host_ipc) return std::nullopt;
    const PodVolume* const volume = pod.shm_of(container);
    if (container.shm_volume.empty())
      return PodLack{concat(manifest_text(pod, container), " mounts no volume at /dev/shm, which then has 64 MiB"),
                     line_of(pod, container)};
    if (volume == nullptr || !volume->in_memory || volume->limit < 0) return std::nullopt;
    return PodLack{
        concat(manifest_text(pod, container), " limits /dev/shm to ", size_text(volume->limit), " (sizeLimit)"),
        line_of(pod, container)};
  });
}

std::optional<PodLack> lacks_ipc_lock(const Model& model, const std::vector<Index>& processes) {
  return first_lack(model, processes, [](const Pod& pod, const PodContainer& container) -> std::optional<PodLack> {
    if (container.privileged || container.ipc_lock) return std::nullopt;
    return PodLack{concat(manifest_text(pod, container), " adds no capability IPC_LOCK"), line_of(pod, container)};
  });
}

void add_lack(const std::optional<PodLack>& lack, Finding& finding) {
  if (!lack) return;
  finding.message += concat("; ", lack->text);
  // The line of the manifest follows the first line of the fault, because reports show only a few lines.
  std::vector<LineRef>& lines = finding.evidence.lines;
  if (std::ranges::find(lines, lack->at) == lines.end()) {
    lines.insert(lines.begin() + (lines.empty() ? 0 : 1), lack->at);
    if (lines.size() > Evidence::max_lines) lines.pop_back();
    ++finding.evidence.count;
  }
}

}  // namespace nccl_analyze
