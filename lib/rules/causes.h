#pragma once
/// Links each finding to its root cause and orders the findings of a report.

#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Moves each finding with a cause in the same report below its root cause (Finding::consequences), and drops inferred
/// findings once a failure is proven. The remaining findings are ordered, most likely root cause first.
void link_causes(const Model& model, std::vector<Finding>& findings);

/// Stable sort, most likely root cause first.
void order_findings(std::vector<Finding>& findings);

}  // namespace nccl_analyze
