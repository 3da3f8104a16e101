#pragma once
/// Describes communicators in words. The sentences hold names from the log as they are; the report writers escape them.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns one text for each group of communicators with the same description, the largest communicators first.
/// `one_by_one` disables grouping.
std::vector<std::string> describe_communicators(const Model& model, bool one_by_one);

/// Returns how many ranks of the largest incomplete communicator have logs in this input: `1 of 4 ranks`. Empty if no
/// rank is missing.
std::string describe_missing_ranks(const Model& model);

}  // namespace nccl_analyze
