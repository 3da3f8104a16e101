// Corrects the calls of processes whose log is split over several sources.

#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "model/resolve/passes.h"

namespace nccl_analyze::builder {

namespace {

/// Replaces the first op count of a rank whose calls are spread over several logs, so that the op count is not
/// compared.
constexpr std::uint64_t not_numbered = std::numeric_limits<std::uint64_t>::max();

/// The oldest part of each process, whose log may be split. ProcessState::twin links each part to the previous one.
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

void distrust_parted_logs(BuilderState& state) {
  const Table<Index> oldest = oldest_parts(state.processes);
  std::set<Index> parted;  // oldest parts of processes with split logs
  for (Index i = 0; i < static_cast<Index>(oldest.size()); ++i)
    if (state.processes[i].parted) parted.insert(oldest[i]);
  if (parted.empty()) return;
  for (CommState& comm : state.comms)
    for (Rank& rank : comm.comm.ranks)
      if (rank.calls && rank.process >= 0 && parted.contains(oldest[rank.process])) {
        rank.calls->from_start = false;
        rank.calls->first_op_count = not_numbered;
      }
}

}  // namespace nccl_analyze::builder
