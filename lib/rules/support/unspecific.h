#pragma once
/// Builds findings from incidents that belong to a rule only by wording, by place in NCCL's code or by a well-known
/// phrase. The rules do not handle such incidents themselves, because the message has the same form for all rules.

#include <map>
#include <span>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Findings by rule for incidents that are not `claimed`. Skips incidents after which their process made progress.
/// Skips well-known phrases if `findings` already has a finding of the same rule, or a failure of the same or an
/// earlier stage.
std::map<const Rule*, std::vector<Finding>> unspecific_findings(const Model& model, const std::vector<bool>& claimed,
                                                                std::span<const Finding> findings);

}  // namespace nccl_analyze
