#pragma once
/// The checks of a report: each aspect of a job with pass, fail or unknown, so that a report also lists what is fine.

#include <span>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// A finding above info fails the checks that its rule names; the other answers come from the model. A check without
/// any data in the log is left out.
std::vector<Check> answer_checks(const Model& model, std::span<const Finding> findings);

}  // namespace nccl_analyze
