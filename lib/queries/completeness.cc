// Judges completeness by damaged lines, the lines at the start of a process, and ambiguous senders.

#include "queries/completeness.h"

#include <algorithm>
#include <vector>

#include "queries/hosts.h"
#include "queries/ranks.h"

namespace nccl_analyze {

bool ends_early(const Model& model, SourceId source) {
  const auto index = static_cast<std::size_t>(source);
  return index < model.sources.size() && model.sources[index].stats.ends_early > 0;
}

bool ends_early(const Model& model) {
  return std::ranges::any_of(model.sources, [](const Source& source) { return source.stats.ends_early > 0; });
}

std::uint64_t count_damaged_lines(const Model& model, SourceId source) {
  if (static_cast<std::size_t>(source) >= model.sources.size()) return 0;
  constexpr std::uint64_t any_number = std::uint64_t{1} << 32U;
  if (ends_early(model, source)) return any_number;
  const ParseStats& stats = model.sources[static_cast<std::size_t>(source)].stats;
  // If half of the lines or more lack a prefix, somebody removed the prefixes on purpose, and the messages are whole.
  const std::uint64_t headless = stats.malformed * 2 < stats.nccl_lines ? stats.malformed : 0;
  return stats.damage(Damage::cut) + stats.damage(Damage::torn) + headless + stats.truncated;
}

bool may_be_lost(const Model& model, const Communicator& comm, std::size_t missing) {
  std::vector<SourceId> sources;
  for (const Rank& rank : comm.ranks)
    if (const Process* process = process_of(model, rank.process))
      if (sources.empty() || sources.back() != process->source) sources.push_back(process->source);
  std::ranges::sort(sources);
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  std::uint64_t lost = 0;
  for (const SourceId source : sources) lost += count_damaged_lines(model, source);
  return missing <= lost;
}

bool shows_start_of_every_rank(const Model& model, const Communicator& comm) {
  if (shares_gpus(comm)) return false;  // several processes have the same prefix
  return std::ranges::all_of(comm.ranks, [&](const Rank& rank) {
    const Process* process = process_of(model, rank.process);
    return process != nullptr && process->pid >= 0 && process->bootstrap_at.line > 0 && process->network_at.line > 0 &&
           (process->driver >= 0 || !process->version.empty());
  });
}

bool has_unambiguous_lines(const Model& model, const Communicator& comm) {
  if (comm.inferred || (comm.comm_id == 0 && comm.parent < 0)) return false;
  std::vector<std::uint64_t> lost(model.sources.size());
  for (std::size_t i = 0; i < lost.size(); ++i)
    lost[i] = count_damaged_lines(model, static_cast<SourceId>(i)) + model.sources[i].stats.damage(Damage::joined);
  const auto is_certain = [&](const Rank& rank) {
    const Process* process = process_of(model, rank.process);
    const auto source = process == nullptr ? lost.size() : static_cast<std::size_t>(process->source);
    return rank.start_seen && source < lost.size() && lost[source] == 0;
  };
  if (!std::ranges::all_of(comm.ranks, is_certain)) return false;
  // If a process has several communicators, lines of a rank without Init COMPLETE may belong to another communicator.
  std::vector<int> uses(model.processes.size());
  for (const Communicator& one : model.communicators)
    for (const Rank& rank : one.ranks)
      if (process_of(model, rank.process) != nullptr) ++uses[static_cast<std::size_t>(rank.process)];
  return std::ranges::all_of(comm.ranks, [&](const Rank& rank) {
    return rank.state != RankState::started || uses[static_cast<std::size_t>(rank.process)] == 1;
  });
}

bool is_initialised(const Model& model) {
  return std::ranges::any_of(model.communicators, [](const Communicator& comm) {
    return std::ranges::any_of(comm.ranks, [](const Rank& rank) { return rank.phase == InitPhase::complete; });
  });
}

}  // namespace nccl_analyze
