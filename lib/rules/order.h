#pragma once
/// The order of findings.

#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Most likely root cause first; what is equal keeps its order.
void order_findings(std::vector<Finding>& findings);

}  // namespace nccl_analyze
