#pragma once
/// Compares the ranks of a process group by the dumps of PyTorch's flight recorder.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// A process group in the dumps of all ranks.
struct RecordedGroup {
  /// The name in the watchdog's lines if the log has any, else the name in the dumps: `0 (default_pg)`.
  std::string name;
  std::vector<const FlightRecord*> ranks;  ///< One for each rank, sorted by global rank.
};
/// Returns the process groups, sorted by name. Of several dumps of a rank, takes the one with the most enqueued
/// collectives. Leaves out dumps whose global rank is unknown.
std::vector<RecordedGroup> recorded_groups(const Model& model);

/// How far the ranks of a group came with its first incomplete collective: ranks `behind` had not enqueued it, ranks
/// `waiting` had enqueued but not completed it.
struct RecordedLag {
  std::int64_t sequence = -1;  ///< Number of the first incomplete collective; -1 if there is none.
  std::vector<const FlightRecord*> behind, waiting;
};
/// Compares the ranks of a group. RecordedLag::behind is empty if no rank is behind, or if more ranks are behind than
/// wait.
RecordedLag lag_of(const RecordedGroup& group);

}  // namespace nccl_analyze
