#pragma once
/// Detects the environment of processes: Kubernetes, EFA, RoCE, InfiniBand.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// The environment of some processes. It decides which cause a fix names first.
struct Site {
  bool kubernetes = false, efa = false, roce = false, infiniband = false;
};
Site site_of(const Model& model, const std::vector<Index>& processes);

/// `; NCCL_IB_GID_INDEX=0 is set` if any of these processes uses RoCE and printed that setting; else empty.
std::string gid_index_text(const Model& model, const std::vector<Index>& processes);

}  // namespace nccl_analyze
