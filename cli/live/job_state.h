#pragma once
/// Describes the progress of a job for users who follow its log.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// One sentence for each group of communicators in the same state; incomplete communicators come first.
std::vector<std::string> describe_state(const Model& model);

/// One sentence for each communicator about the progress of its ranks through the collectives.
std::vector<std::string> describe_calls(const Model& model);

/// The reason why the job waits, according to the log: the phase of each waiting rank, or the ranks that are behind.
std::vector<std::string> describe_wait(const Model& model);

}  // namespace nccl_analyze
