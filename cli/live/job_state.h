#pragma once
/// Describes the progress of a job for users who follow its log.

#include <cstddef>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Communicators with the same size and progress.
struct StateGroup {
  Index first = -1;               ///< Index into Model::communicators.
  std::size_t communicators = 1;  ///< Number of communicators in the group.
  std::size_t ranks = 0;          ///< Number of ranks of each communicator; the next counts are also per communicator.
  std::size_t started = 0, complete = 0, failed = 0, aborted = 0, destroyed = 0;
  std::vector<int> without_line;  ///< In the first communicator, the ranks without a line in the input.
  std::string sentence;           ///< The state of the group in words.
};

/// Groups the job's communicators by size and progress. Groups whose initialisation is not complete come first.
std::vector<StateGroup> group_states(const Model& model);

/// The sentences about the groups; if there is no communicator, one sentence about the processes.
std::vector<std::string> describe_state(const Model& model);

/// Whether the job has communicators and the initialisation of each is complete on all ranks of which the input has
/// lines. One complete rank proves that all ranks of its communicator took part.
bool is_ready(const Model& model);

/// One sentence for each communicator about the progress of its ranks through the collectives.
std::vector<std::string> describe_calls(const Model& model);

/// The reason why the job waits, according to the log: the phase of each waiting rank, or the ranks that are behind.
std::vector<std::string> describe_wait(const Model& model);

}  // namespace nccl_analyze
