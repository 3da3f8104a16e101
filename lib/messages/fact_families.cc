// The list of the families in facts/. It is not in all_families.cc, because the build needs it before it generates the
// family of known formats.

#include <array>

#include "messages/families.h"

namespace nccl_analyze {

std::span<const Family> fact_families() {
  static const std::array families = {
      bootstrap_family, version_family,  environment_family, plugin_family,       network_family,
      ib_family,        ras_family,      ofi_family,         communicator_family, graph_family,
      transport_family, topology_family, collective_family,  fault_family,        external_family,
  };
  return families;
}

}  // namespace nccl_analyze
