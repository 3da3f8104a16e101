#pragma once
/// Detects the environment of a job: Kubernetes, EFA, RoCE or InfiniBand.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// What the log shows of the environment of some processes. A fix names the most likely cause in that environment
/// first.
struct Site {
  bool kubernetes = false, efa = false, roce = false, infiniband = false;
};
Site site_of(const Model& model, const std::vector<Index>& processes);

/// `; NCCL_IB_GID_INDEX=0 is set` if any of these processes uses RoCE and printed that setting; else empty.
std::string gid_index_text(const Model& model, const std::vector<Index>& processes);

}  // namespace nccl_analyze
