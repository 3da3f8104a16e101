#pragma once
/// Findings for incidents that belong to a rule only by wording, by place in NCCL's code or by a well-known phrase. The
/// rules themselves do not handle such incidents, since their messages are built alike for all rules.

#include <map>
#include <span>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Findings by rule for incidents that no finding claims. Incidents that their process survived are left out, and so
/// are well-known phrases when `findings` has the same rule or a failure at least as close to the root.
std::map<const Rule*, std::vector<Finding>> unspecific_findings(const Model& model, const std::vector<bool>& claimed,
                                                                std::span<const Finding> findings);

}  // namespace nccl_analyze
