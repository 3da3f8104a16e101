#pragma once
/// Builds findings from incidents that belong to a rule only by wording, by place in NCCL's code or by a well-known
/// phrase. The rules do not handle such incidents themselves, because the message has the same form for all rules.

#include <map>
#include <span>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Returns findings, by rule, for the incidents that no finding above severity info accounts for: those whose flag in
/// `claimed` is false. Skips incidents after which their process made progress. Skips a well-known phrase if
/// `findings`, apart from those of severity info, has a finding of the rule that reports the phrase, or a failure whose
/// stage is that of this rule or an earlier one.
std::map<const Rule*, std::vector<Finding>> unspecific_findings(const Model& model, const std::vector<bool>& claimed,
                                                                std::span<const Finding> findings);

}  // namespace nccl_analyze
