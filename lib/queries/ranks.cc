// Implements lookups of processes and ranks.

#include "queries/ranks.h"

#include <algorithm>

#include "text/phrases.h"

namespace nccl_analyze {

const Process* process_of(const Model& model, Index index) { return model.processes.find(index); }

Index first_communicator_of(const Model& model, Index process) {
  const Process* const found = process_of(model, process);
  return found == nullptr ? -1 : found->communicator;
}

const Rank* find_rank(const Communicator& comm, int rank) {
  // A rank stands at its number if the logs of all ranks are here, and little before it if a few are missing.
  const auto first = comm.ranks.begin();
  auto end = first + std::clamp<std::ptrdiff_t>(std::ptrdiff_t{rank} + 1, 0, std::ssize(comm.ranks)), begin = end;
  for (std::ptrdiff_t step = 1; begin != first && (begin - 1)->rank >= rank; step *= 2) {
    end = begin;
    begin -= std::min(step, begin - first);
  }
  if (begin == end) end = comm.ranks.end();
  const auto at = std::lower_bound(begin, end, rank, [](const Rank& item, int wanted) { return item.rank < wanted; });
  return at != comm.ranks.end() && at->rank == rank ? &*at : nullptr;
}

int job_size(const Model& model) {
  int size = -1;
  for (const Communicator& comm : model.communicators)
    if (!comm.inferred) size = std::max(size, comm.nranks);
  if (size > 0 || model.announced.empty()) return size;
  const int announced = model.announced.front().size;
  const auto agrees = [announced](const AnnouncedMember& member) { return member.size == announced; };
  return std::ranges::all_of(model.announced, agrees) ? announced : size;
}

std::string ras_job_text(const RasJob& job) {
  const std::string on = " on " + count_text(job.nodes, "node");
  if (job.processes < 0) return count_text(job.gpus, "rank") + on;
  return count_text(job.processes, "process") + " with " + count_text(job.gpus, "GPU") + on;
}

Index process_of_job_rank(const Model& model, int rank) {
  const int size = job_size(model);
  for (const Communicator& comm : model.communicators)
    if (!comm.inferred && comm.parent < 0 && comm.nranks == size)
      if (const Rank* found = find_rank(comm, rank)) return found->process;
  return -1;
}

std::vector<int> logged_ranks(const Communicator& comm) {
  std::vector<int> ranks;
  for (const Rank& rank : comm.ranks) ranks.push_back(rank.rank);
  return ranks;
}

std::vector<int> unlogged_ranks(const Communicator& comm) {
  std::vector<int> missing;
  // A single pass over both sorted lists keeps the cost linear in the number of ranks.
  auto logged = comm.ranks.begin();
  for (int rank = 0; rank < comm.nranks; ++rank) {
    while (logged != comm.ranks.end() && logged->rank < rank) ++logged;
    if (logged == comm.ranks.end() || logged->rank != rank) missing.push_back(rank);
  }
  return missing;
}

bool lacks_processes(const Model& model) {
  return model.dropped > 0 && model.processes.size() >= ModelLimits{}.max_processes;
}

bool has_unplaced_lines(const Model& model) {
  return lacks_processes(model) || std::ranges::any_of(model.communicators, &Communicator::inferred) ||
         std::ranges::any_of(model.processes, [](const Process& process) { return process.communicator < 0; });
}

bool has_transport(const Communicator& comm, std::string_view transport) {
  return std::find(comm.transports.begin(), comm.transports.end(), transport) != comm.transports.end();
}

double seconds_before_bootstrap(const Rank& rank) {
  return rank.init_seconds ? rank.init_seconds->kernels + rank.init_seconds->alloc : 0.0;
}

}  // namespace nccl_analyze
