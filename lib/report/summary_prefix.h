#pragma once
// What stands before most messages follows from who prints them: a summary need not repeat it.

#include <string>

#include "nccl_analyze/summary.h"

namespace nccl_analyze {

/// `worker-0:152:386 [0] NCCL INFO `
inline std::string usual_prefix(const SummaryOrigin& origin) {
  return origin.host + ':' + std::to_string(origin.pid) + ':' + std::to_string(origin.tid) + " [" +
         std::to_string(origin.device) + "] NCCL " + (origin.level == Level::warn ? "WARN " : "INFO ");
}

}  // namespace nccl_analyze
