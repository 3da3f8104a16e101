#pragma once
/// Finds in the dumps of PyTorch's flight recorder which ranks the other ranks wait for: in process groups, sends and
/// receives.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "queries/flight_records.h"

namespace nccl_analyze {

/// Where ranks wait, so that they are not the reason why others wait for them.
struct HeldRanks {
  std::map<int, std::string> places;  ///< `process group 1 (tp)`, `a receive from rank 2`, by the rank in the job.
  std::set<int> in_transfers;         ///< Those of these ranks that wait in sends and receives.
  /// The ranks at which chains of sends and receives end, because their dumps show nothing that they wait for. A chain
  /// adds none if it has several ends, if the dumps do not show one of them, or if ranks that wait for several others
  /// wait in a cycle, too.
  std::set<int> awaited;
  std::set<const FlightRecord*> transfers;  ///< What shows the sends and receives of all ranks of the chains.
};
/// Returns sentences on where the ranks wait, in order to follow another sentence; empty if there are none. `first`:
/// how they begin, `Meanwhile`.
std::string held_text(const HeldRanks& held, std::string_view first);

/// A process group with ranks behind, seen beside all other groups. A rank may be behind in one group because it waits
/// elsewhere: in another group, for ranks that are behind there, or for the other end of a send or receive.
struct RecordedDesync {
  RecordedGroup group;
  RecordedLag lag;
  HeldRanks held;  ///< The ranks behind that wait elsewhere.
  /// Names of the groups whose ranks behind all wait here, or in groups that wait for ranks here.
  std::vector<std::string> effects;
  /// The group that has this one among its effects, or in which each rank that is behind has an operation open; empty
  /// if there is none, as for groups that wait for each other.
  std::string cause;
};
/// Returns which of the ranks `behind` keep the others waiting, and the ranks for which these wait in the end. All for
/// groups that wait for each other; none if another group is the reason, or if the dumps do not tell.
std::vector<int> suspects_of(const HeldRanks& held, std::string_view cause, const std::set<int>& behind);

/// What each rank waits for, by its number in the job.
struct RecordedWaits {
  std::vector<RecordedDesync> desyncs;                ///< Sorted by name.
  std::map<int, std::vector<std::size_t>> in_groups;  ///< Those of `desyncs` in which a rank waits.
  /// A group in which the rank has a collective that is not complete, though no rank that is recorded has not called
  /// it. Other ranks of the group may have left no dump.
  std::map<int, std::string> open;
  std::map<int, std::vector<const FlightRecord*>> transfers;  ///< Groups with sends or receives that are not complete.
  std::set<int> recorded;                                     ///< The ranks with a dump.
};
RecordedWaits find_recorded_waits(const Model& model);

/// Returns the sends and receives in which the ranks wait.
HeldRanks held_in_transfers(const RecordedWaits& waits, const std::set<int>& ranks);

}  // namespace nccl_analyze
