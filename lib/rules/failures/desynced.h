#pragma once
/// Reads from PyTorch's desync report (TORCH_NCCL_DESYNC_DEBUG) which ranks keep the others waiting.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

struct DesyncReport {
  std::string text;         ///< `rank 2 finished collective 7 and did not join the next`
  std::vector<int> blamed;  ///< The ranks of the process group that keep others waiting, sorted.
  Evidence evidence;
};

/// Combines the reports of all ranks; nullopt if there are none. `waiting`: the ranks whose watchdog timed out. If the
/// report has only one group, which joined a collective and contains these ranks, no rank is blamed.
std::optional<DesyncReport> desync_report(const Model& model, const std::set<int>& waiting);

}  // namespace nccl_analyze
