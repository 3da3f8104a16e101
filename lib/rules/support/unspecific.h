#pragma once
/// Incidents that belong to a rule by their wording, their place in NCCL's code or a well-known phrase alone. The rule
/// itself knows nothing of them; what can be said is the same for all rules.

#include <map>
#include <span>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Findings by rule for incidents that no finding claims. Those that their process survived are left out, and
/// phrases of other programs where the rule has found something better.
std::map<const Rule*, std::vector<Finding>> unspecific_findings(const Model& model, const std::vector<bool>& claimed,
                                                                std::span<const Finding> findings);

}  // namespace nccl_analyze
