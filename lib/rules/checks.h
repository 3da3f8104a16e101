#pragma once
/// The questions that every job is asked, with their answers: what passed stands in the report too.

#include <span>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

std::vector<Check> answer_checks(const Model& model, std::span<const Finding> findings);

}  // namespace nccl_analyze
