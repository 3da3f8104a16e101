#pragma once
/// Detects whether processes run in Kubernetes, and which network they use: EFA, RoCE or InfiniBand.

#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// The environment of some processes. It decides which cause a fix names first.
struct Infrastructure {
  bool kubernetes = false, efa = false, roce = false, infiniband = false;
};
Infrastructure infrastructure_of(const Model& model, const std::vector<Index>& processes);

/// Whether the name looks like the host name that Docker gives a container: twelve hexadecimal digits, of which at
/// least one is a decimal digit.
bool is_container_name(std::string_view host);

/// Returns `; NCCL_IB_GID_INDEX=0 is set` if any of these processes uses RoCE and printed that setting; else empty.
std::string gid_index_text(const Model& model, const std::vector<Index>& processes);

}  // namespace nccl_analyze
