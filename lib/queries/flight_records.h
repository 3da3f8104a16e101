#pragma once
/// Compares the ranks of a process group by the dumps of PyTorch's flight recorder.

#include <map>
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

/// A process group with ranks behind, seen beside all other groups. A rank may be behind in one group because it waits
/// in another, for ranks that are behind there.
struct RecordedDesync {
  RecordedGroup group;
  RecordedLag lag;
  /// Ranks behind that wait in another such group themselves, numbered as in the job, each with the name of that group.
  std::map<int, std::string> held;
  /// Names of the groups whose ranks behind all wait here, or in groups that wait for ranks here.
  std::vector<std::string> effects;
  /// The group that has this one among its effects, or in which each rank that is behind has an operation open; empty
  /// if there is none, as for groups that wait for each other.
  std::string cause;
};
/// Returns the groups with ranks behind, sorted by name.
std::vector<RecordedDesync> recorded_desyncs(const Model& model);

}  // namespace nccl_analyze
