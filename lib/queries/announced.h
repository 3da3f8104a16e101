#pragma once
// The processes of a job that announced themselves to a launcher or framework before NCCL began.

#include <optional>
#include <set>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// What processes of one job said of themselves.
struct Announced {
  int size = 0;         ///< The number of processes of the job.
  std::set<int> ranks;  ///< The ranks that announced themselves.
  std::set<int> twice;  ///< Those of them that did so more than once.
  Evidence evidence;
  /// The ranks that did not announce themselves.
  std::set<int> missing() const;
};

/// Returns the processes that announced themselves and still wait for others by this input. nullopt if none did, if
/// they name different sizes, if all have come, or if the job began: a communicator or steps of training are there.
std::optional<Announced> waiting_members(const Model& model);

}  // namespace nccl_analyze
