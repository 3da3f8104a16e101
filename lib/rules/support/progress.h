#pragma once
/// Compares how many collectives each rank of a communicator has called, by its COLL lines. A rank behind is not yet a
/// fault: at the end of any running job's log, ranks are a few calls apart.

#include <cstdint>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

struct RankProgress {
  int rank = -1;  ///< -1 when only call lines of the communicator are in the input.
  Index process = -1;
  int gpu = -1;
  std::uint64_t number = 0;  ///< Number of its last collective, starting at 1; 0 = no collective yet.
  LineRef at;                ///< Line of its last call.
};

struct CallProgress {
  Index communicator = -1;  ///< -1 when only call lines are in the input, which are grouped by communicator size then.
  int nranks = -1;
  std::uint64_t number = 0;           ///< Number of the latest collective of any rank, starting at 1.
  CollectiveCall call;                ///< The latest collective itself.
  std::vector<RankProgress> reached;  ///< Sorted by rank.
  std::vector<RankProgress> behind;   ///< The rank furthest behind comes first.
  std::vector<int> unknown;           ///< Ranks in this input whose call lines are missing or incomplete.
};

/// One entry for each communicator whose ranks can be compared, in the model's order. Communicators that only their
/// call lines show come last, by size.
std::vector<CallProgress> find_call_progress(const Model& model);

/// `AllReduce 174: 127 of 128 ranks; rank 52 is at 173`
std::string progress_text(const Model& model, const CallProgress& progress);

}  // namespace nccl_analyze
