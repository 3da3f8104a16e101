#pragma once
/// Compares how many collectives each rank of a communicator has called, by COLL lines. A rank that is behind need not
/// be a fault: when the log of a running job ends, its ranks are usually a few calls apart.

#include <cstdint>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// How far a rank has come in the sequence of collectives.
struct RankProgress {
  int rank = -1;  ///< -1 if the input has no lines of the communicator other than call lines.
  Index process = -1;
  int gpu = -1;
  std::uint64_t number = 0;  ///< Number of the rank's last collective, starting at 1; 0: no collective yet.
  LineRef at;                ///< Line of the rank's last call.
};

/// How far the ranks of one communicator have come.
struct CallProgress {
  /// -1 if the communicator appears only in call lines (NCCL_DEBUG_SUBSYS=COLL), which are grouped by size.
  Index communicator = -1;
  int nranks = -1;
  std::uint64_t number = 0;           ///< Number of the latest collective of any rank, starting at 1.
  CollectiveCall call;                ///< The latest collective.
  std::vector<RankProgress> reached;  ///< Ranks that called the latest collective, sorted by rank.
  std::vector<RankProgress> behind;   ///< Ranks that did not yet call it, the rank furthest behind first.
  std::vector<int> unknown;           ///< Ranks in this input whose call lines are missing or incomplete.
};

/// Returns one entry for each communicator whose ranks can be compared, in the order of Model::communicators. Entries
/// with communicator -1 follow, sorted by size.
std::vector<CallProgress> find_call_progress(const Model& model);

/// Returns a text about the progress: `AllReduce 174: 127 of 128 ranks; rank 52 is at 173`.
std::string progress_text(const Model& model, const CallProgress& progress);

}  // namespace nccl_analyze
