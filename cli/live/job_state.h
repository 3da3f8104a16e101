#pragma once
/// How far a job has come, in words for whom watches it.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// A sentence for all communicators that are in the same state, those that are not complete first.
std::vector<std::string> describe_state(const Model& model);

/// How far the ranks of each communicator have come in its collectives.
std::vector<std::string> describe_calls(const Model& model);

/// What keeps the job from going on, as far as its log tells: which ranks are where.
std::vector<std::string> describe_wait(const Model& model);

}  // namespace nccl_analyze
