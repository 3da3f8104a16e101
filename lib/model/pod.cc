#include "nccl_analyze/model/pod.h"

#include <algorithm>

namespace nccl_analyze {

std::int64_t PodContainer::amount(std::string_view resource) const {
  const auto found = std::ranges::find(resources, resource, [](const PodResource& one) { return one.name.view(); });
  return found == resources.end() ? 0 : found->amount;
}

const PodVolume* Pod::shm_of(const PodContainer& container) const {
  if (container.shm_volume.empty()) return nullptr;
  const auto found =
      std::ranges::find(volumes, container.shm_volume.view(), [](const PodVolume& one) { return one.name.view(); });
  return found == volumes.end() ? nullptr : &*found;
}

}  // namespace nccl_analyze
