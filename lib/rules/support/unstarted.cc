// Infers ranks that never started from ranks that wait in the bootstrap.

#include "rules/support/unstarted.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "queries/completeness.h"
#include "queries/platform.h"
#include "queries/ranks.h"

namespace nccl_analyze {

namespace {

/// Whether every logged rank is still in the bootstrap, or failed there.
bool is_waiting(const Communicator& comm) {
  return std::ranges::all_of(comm.ranks, [](const Rank& rank) {
    return rank.phase == InitPhase::bootstrap && (rank.state == RankState::started || rank.state == RankState::failed);
  });
}

}  // namespace

std::vector<bool> communicators_at_work(const Model& model) {
  std::map<Index, int> communicators;  // For each process with a watchdog timeout, the number of its communicators.
  for (const WatchdogTimeout& one : model.stuck)
    if (one.process >= 0) communicators[one.process] = 0;
  const auto each_rank = [&](auto&& visit) {
    for (std::size_t i = 0; i < model.communicators.size(); ++i)
      for (const Rank& rank : model.communicators[i].ranks)
        if (const auto found = communicators.find(rank.process); found != communicators.end()) visit(i, found->second);
  };
  each_rank([](std::size_t, int& count) { ++count; });
  std::vector<bool> at_work(model.communicators.size());
  each_rank([&](std::size_t i, int count) {
    if (count == 1) at_work[i] = true;
  });
  return at_work;
}

std::vector<Index> processes_without_rank(const Model& model) {
  std::vector<bool> placed(model.processes.size());
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (rank.process >= 0) placed[static_cast<std::size_t>(rank.process)] = true;
  std::vector<Index> found;
  for (std::size_t i = 0; i < placed.size(); ++i)
    if (model.processes[i].info_seen && !placed[i]) found.push_back(static_cast<Index>(i));
  return found;
}

std::vector<Unstarted> find_unstarted(const Model& model) {
  std::vector<Unstarted> found;
  // Up to 2.22, Init START proves that all ranks joined.
  if (ends_early(model) || starts_after_bootstrap(model)) return found;
  const std::vector<bool> at_work = communicators_at_work(model);
  std::optional<std::size_t> without_rank;  // computed once, because there may be many communicators
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& comm = model.communicators[i];
    if (comm.inferred || comm.ranks.empty() || !is_waiting(comm) || !shows_start_of_every_rank(model, comm)) continue;
    if (at_work[i]) continue;
    std::vector<int> missing = unlogged_ranks(comm);
    if (missing.empty() || may_be_lost(model, comm, missing.size())) continue;
    // The log of one pod does not show whether other pods started. Therefore the input must have three quarters of the
    // ranks, or at least as many processes without a rank as there are missing ranks.
    const bool most_are_here = missing.size() * 4 <= static_cast<std::size_t>(comm.nranks);
    if (!most_are_here && !without_rank) without_rank = processes_without_rank(model).size();
    if (most_are_here || *without_rank >= missing.size()) found.push_back({static_cast<Index>(i), std::move(missing)});
  }
  return found;
}

}  // namespace nccl_analyze
