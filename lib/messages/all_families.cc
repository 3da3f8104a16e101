// The list of families.

#include <array>

#include "messages/families.h"

namespace nccl_analyze {

std::span<const Family> all_families() {
  static const std::array families = {
      bootstrap_family, version_family,    environment_family, plugin_family,       network_family, ib_family,
      ras_family,       sharp_family,      ofi_family,         communicator_family, graph_family,   transport_family,
      topology_family,  collective_family, fault_family,       detail_family,       warning_family, past_family,
      later_family,     rccl_family,       outside_family,
  };
  return families;
}

}  // namespace nccl_analyze
