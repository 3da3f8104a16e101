#pragma once
/// Describes communicators in words. Names from the log are not escaped; the report writers escape them.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns one text for each group of communicators with the same description, the largest communicators first.
/// `one_by_one` disables grouping. Otherwise, inferred communicators share the last text if there are several
/// communicators.
std::vector<std::string> describe_communicators(const Model& model, bool one_by_one);

/// Returns how many ranks of the largest incomplete communicator have logs in this input: `1 of 4 ranks`, or `at least
/// 1 of 4 ranks` if other lines may be from its ranks. Empty if no rank is missing.
std::string describe_missing_ranks(const Model& model);

}  // namespace nccl_analyze
