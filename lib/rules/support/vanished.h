#pragma once
/// Finds processes that vanished without an error of their own. This is inferred from lines of other ranks and from
/// missing lines, so any proven failure takes precedence.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// A rank whose process vanished.
struct VanishedRank {
  Index communicator = -1;
  int rank = -1;
  std::string sign;             ///< The reason why the process counts as vanished, as a clause for the message.
  bool circumstantial = false;  ///< Whether missing lines are the only sign, because no other rank reports the loss.
  Evidence evidence;
};
/// Returns the ranks whose processes vanished, as inferred from the lines of other ranks and from missing lines. Empty
/// if find_unstarted() finds ranks, because ranks that never started explain the failures of the other ranks better
/// than vanished ones.
std::vector<VanishedRank> find_vanished_ranks(const Model& model);

}  // namespace nccl_analyze
