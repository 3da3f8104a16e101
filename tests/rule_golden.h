#pragma once
// Writes what the case of a rule is about, so that a change of another rule's sentence changes few cases.

#include <string>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze {

/// The verdict, the findings of the rule named `rule` without the texts that all of its findings share, the number and
/// severity of the other errors and warnings, and the checks that do not pass. Values that say nothing (null, false,
/// empty) are left out. The model and the texts of the rules are covered by testdata/jobs and lib/rules/README.md.
std::string rule_golden(const Model& model, const Report& report, std::string_view rule);

}  // namespace nccl_analyze
