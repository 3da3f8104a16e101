#pragma once
/// Ensures that the report on a failed job has an error, even if the cause is unknown.

#include <vector>

#include "nccl_analyze/rule.h"
#include "queries/attempts.h"

namespace nccl_analyze {

/// If the log proves that a process failed and no finding is an error, makes one an error: the likeliest finding with a
/// line before the proof, else with any line in its source, if it can be of the same process. Without such a finding,
/// adds one about the failure itself.
void ensure_error(const Model& model, const Attempts& attempts, std::vector<Finding>& findings);

}  // namespace nccl_analyze
