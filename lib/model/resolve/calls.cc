// Corrects the calls of processes whose log is split over several sources.

#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "model/resolve/passes.h"

namespace nccl_analyze::builder {

namespace {

/// Value of Calls::first_op_count for a rank whose calls are spread over several logs. It is above every op count, so
/// the calls are not numbered by op count.
constexpr std::uint64_t not_numbered = std::numeric_limits<std::uint64_t>::max();

/// Returns for each process the oldest process that may be the same one. The log of a process may be split over several
/// sources; each source then has a process of its own, which ProcessState::twin links to the previous one.
Table<Index> oldest_parts(const Table<ProcessState>& processes) {
  Table<Index> oldest(processes.size());
  for (Index i = 0; i < static_cast<Index>(oldest.size()); ++i)
    oldest[i] = processes[i].twin < 0 ? i : oldest[processes[i].twin];
  return oldest;
}

}  // namespace

void drop_known_calls(BuilderState& state) {
  std::vector<UnnamedCalls>& unnamed = state.model.unnamed_calls;
  if (unnamed.empty()) return;
  const Table<Index> oldest = oldest_parts(state.processes);
  std::set<std::pair<Index, std::uint64_t>> known;
  for (const CommState& comm : state.comms)
    for (const Rank& rank : comm.comm.ranks)
      if (rank.process >= 0) known.emplace(oldest[rank.process], rank.comm);
  std::erase_if(unnamed, [&](const UnnamedCalls& one) { return known.contains({oldest[one.process], one.comm}); });
}

void mark_calls_of_split_logs(BuilderState& state) {
  const Table<Index> oldest = oldest_parts(state.processes);
  std::set<Index> split;  // The result of oldest_parts() for processes with split logs.
  for (Index i = 0; i < static_cast<Index>(oldest.size()); ++i)
    if (state.processes[i].has_split_log) split.insert(oldest[i]);
  if (split.empty()) return;
  for (CommState& comm : state.comms)
    for (Rank& rank : comm.comm.ranks)
      if (rank.calls && rank.process >= 0 && split.contains(oldest[rank.process])) {
        rank.calls->from_start = false;
        rank.calls->first_op_count = not_numbered;
      }
}

}  // namespace nccl_analyze::builder
