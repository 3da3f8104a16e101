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
/// Sorted by name. A rank with several dumps is represented by the one that came furthest.
std::vector<RecordedGroup> recorded_groups(const Model& model);

/// Ranks that had not enqueued a collective that others of their group had enqueued and not completed.
struct RecordedLag {
  std::int64_t sequence = -1;  ///< Number of the first incomplete collective; -1 if there is none.
  std::vector<const FlightRecord*> behind, waiting;
};
/// Compares the ranks of a group. RecordedLag::behind is empty if no rank is behind, or if more ranks are behind than
/// wait.
RecordedLag lag_of(const RecordedGroup& group);

}  // namespace nccl_analyze
