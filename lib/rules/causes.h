#pragma once
/// Which finding follows from which, and in what order they are told.

#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Takes out what is only inferred where a failure is proven, and puts each finding that follows from another below its
/// root cause (Finding::consequences). What is left is ordered, most likely root cause first.
void link_causes(const Model& model, std::vector<Finding>& findings);

/// Most likely root cause first; what is equal keeps its order.
void order_findings(std::vector<Finding>& findings);

}  // namespace nccl_analyze
