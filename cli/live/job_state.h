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

/// Returns the sentences about the groups; if there are none, one sentence about the processes. Empty if there are no
/// processes either.
std::vector<std::string> describe_state(const Model& model);

/// Whether the job has communicators, and the initialisation of each is complete on all ranks that have lines in the
/// input. One complete rank proves that all ranks of its communicator took part.
bool is_ready(const Model& model);

/// Returns one sentence for each communicator whose ranks can be compared, about their progress through the
/// collectives.
std::vector<std::string> describe_calls(const Model& model);

/// Returns the reason why the job waits, according to the log: the phase of each waiting rank, else the ranks that are
/// behind. If there are no such ranks, returns one sentence about the state of the job.
std::vector<std::string> describe_wait(const Model& model);

}  // namespace nccl_analyze
