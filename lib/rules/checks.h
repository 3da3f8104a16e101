#pragma once
/// Answers the checks of a report. Each check judges one aspect of the job as pass, fail or unknown, so that a report
/// also lists what is in order.

#include <span>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// A check fails if the rule of some finding names it (RuleInfo::check) and the finding's severity is above info,
/// except that failures after the initialisation do not fail the check `init`. Otherwise the model gives the answer.
/// Checks without any data in the log are omitted.
std::vector<Check> answer_checks(const Model& model, std::span<const Finding> findings);

/// Lets checks that name a finding which is not among `findings`, because it was a guess, name the first of these,
/// which took its place.
void name_shown_findings(std::span<const Finding> findings, std::vector<Check>& checks);

}  // namespace nccl_analyze
