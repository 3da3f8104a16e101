#pragma once
/// Compares the ranks of a process group by the dumps of PyTorch's flight recorder.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// A process group in the dumps of all ranks.
struct RecordedGroup {
  /// The name in the watchdog's lines if the log has any, else the name in the dumps: `0 (default_pg)`. PyTorch may
  /// give several groups one name, each of other ranks; their ranks are then part of the name: `2 (tp) of ranks 4-7`.
  std::string name;
  std::string common_name;                 ///< The name without ranks.
  std::vector<const FlightRecord*> ranks;  ///< One for each rank, sorted by global rank.
};
/// Returns the process groups, sorted by name. Of several dumps of a rank, takes the one with the most enqueued
/// collectives. Leaves out dumps whose global rank is unknown.
std::vector<RecordedGroup> recorded_groups(const Model& model);

/// Finds the group of a rank among groups of one name.
class RecordedNames {
 public:
  /// `groups` must outlive this object.
  explicit RecordedNames(const std::vector<RecordedGroup>& groups);
  /// Returns the RecordedGroup::name of the group of a watchdog; the name in its line if the rank left no dump.
  const std::string& of(const WatchdogTimeout& stuck) const;

 private:
  std::map<std::pair<std::string, int>, const std::string*> names_;  ///< By common name and rank in the job.
};

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
