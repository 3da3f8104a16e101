// Communicators and ranks: who joins whom, and how far each has come.

#include "model/folding.h"

namespace nccl_analyze::draft {

namespace {

constexpr int max_generations = 1024;  // of one identity: jobs that start again in one log

}  // namespace

RankRef Folding::join(const CommIdentity& event) {
  if (event.rank < 0 || event.rank >= event.nranks || event.nranks > limits_.max_ranks) {
    ++dropped_;
    return {};
  }
  Index parent = -1;
  if (event.parent.value != 0) {
    const auto found = process_->by_pointer.find(event.parent.value);
    if (found != process_->by_pointer.end()) parent = found->second.comm;
  }
  // Children print no id since 2.23.4: ranks of one parent, count and colour are one communicator. Without the
  // parent's start nothing joins two processes, and the pointer keeps them apart.
  const bool known = event.comm_id.value != 0 || parent >= 0;
  CommKey key{event.comm_id.value, parent, event.split_count, event.color, event.nranks, 0};
  if (!known) key = {event.comm.value, -2 - process_number_, event.split_count, event.color, event.nranks, 0};
  for (;; ++key.generation) {
    const auto found = comm_index_.find(key);
    if (found == comm_index_.end()) break;
    if (key.generation == max_generations) {
      ++dropped_;
      return {};
    }
    CommDraft& comm = job_.comms[static_cast<std::size_t>(found->second)];
    const auto slot = comm.slot_of_rank.find(event.rank);
    if (slot == comm.slot_of_rank.end()) return add_rank(found->second, event);
    const Rank& rank = comm.comm.ranks[static_cast<std::size_t>(slot->second)];
    if (rank.process == process_number_ && rank.comm == event.comm.value) return {found->second, slot->second};
  }
  if (job_.comms.size() >= limits_.max_communicators) {
    ++dropped_;
    return {};
  }
  const auto number = static_cast<Index>(job_.comms.size());
  CommDraft& made = job_.comms.emplace_back();
  made.comm.comm_id = event.comm_id.value;
  made.comm.parent = parent;
  made.comm.split_count = event.split_count;
  made.comm.color = event.color;
  made.comm.created_by = std::string(event.function);
  made.comm.nranks = event.nranks;
  made.comm.first = record_->at;
  comm_index_.emplace(key, number);
  return add_rank(number, event);
}

RankRef Folding::add_rank(Index number, const CommIdentity& event) {
  CommDraft& comm = job_.comms[static_cast<std::size_t>(number)];
  const auto slot = static_cast<Index>(comm.comm.ranks.size());
  Rank& rank = comm.comm.ranks.emplace_back();
  rank.rank = event.rank;
  rank.process = process_number_;
  rank.comm = event.comm.value;
  rank.started_at = quoted();
  comm.slot_of_rank.emplace(event.rank, slot);
  const RankRef ref{number, slot};
  end_life(event.comm.value);  // the pointer is used again: what had it before is gone
  process_->by_pointer[event.comm.value] = ref;
  process_->lives.push_back({ref, record_->at.line, ~std::uint64_t{0}});
  return ref;
}

void Folding::end_life(std::uint64_t pointer) {
  const auto found = process_->by_pointer.find(pointer);
  if (found == process_->by_pointer.end()) return;
  for (Life& life : process_->lives)
    if (life.ref == found->second && life.ended == ~std::uint64_t{0}) life.ended = record_->at.line;
  process_->by_pointer.erase(found);
}

void Folding::apply(const CommInitStarted& event) {
  close_batch(thread(), BatchKind::unknown);
  const RankRef ref = join(event);
  if (ref.comm < 0) return;
  Rank& rank = rank_of(ref);
  rank.cuda_dev = event.cuda_dev;
  rank.nvml_dev = event.nvml_dev;
  rank.bus_id = event.bus_id.value;
  rank.has_bus_id = true;
  ThreadDraft& now = thread();
  if (record_->origin.tid < 0 && now.in_init && now.current != ref) now.mixed = true;
  now.current = ref;
  now.in_init = true;
}

void Folding::apply(const CommInitCompleted& event) {
  const auto live = process_->by_pointer.find(event.comm.value);
  RankRef ref = live != process_->by_pointer.end() ? live->second : RankRef{};
  if (ref.comm < 0 || rank_of(ref).rank != event.rank) ref = join(event);
  if (ref.comm < 0) return;
  Rank& rank = rank_of(ref);
  rank.cuda_dev = event.cuda_dev;
  if (event.nvml_dev >= 0) rank.nvml_dev = event.nvml_dev;
  if (event.bus_id.value != 0 || !rank.has_bus_id) rank.bus_id = event.bus_id.value;
  rank.has_bus_id = true;
  rank.state = RankState::complete;
  rank.phase = InitPhase::complete;
  rank.ended_at = quoted();
  if (comm_of(ref).comm.comm_id == 0) comm_of(ref).comm.comm_id = event.comm_id.value;
  if (thread().in_init && thread().current == ref) close_batch(thread(), BatchKind::unknown);
  thread().current = ref;
  thread().in_init = false;
}

void Folding::apply(const CommPlaced& event) {
  const auto live = process_->by_pointer.find(event.comm.value);
  RankRef ref = live != process_->by_pointer.end() ? live->second : RankRef{};
  if (ref.comm < 0 || rank_of(ref).rank != event.rank) {
    ref = join(CommIdentity{.function = {},
                            .comm = event.comm,
                            .rank = event.rank,
                            .nranks = event.nranks,
                            .bus_id = {},
                            .comm_id = {},
                            .parent = {}});
    if (ref.comm < 0) return;
    thread().current = ref;
    thread().in_init = true;
  }
  Rank& rank = rank_of(ref);
  rank.local_rank = event.local_rank;
  rank.local_ranks = event.local_ranks;
  reach(rank, InitPhase::topology);
  Communicator& comm = comm_of(ref).comm;
  comm.nnodes = std::max(comm.nnodes, event.nnodes);
  comm.mnnvl = std::max(comm.mnnvl, event.mnnvl);
  if (comm.nranks < 0) comm.nranks = event.nranks;
}

void Folding::end_rank(std::uint64_t pointer, RankState state) {
  const auto live = process_->by_pointer.find(pointer);
  if (live == process_->by_pointer.end()) return;
  Rank& rank = rank_of(live->second);
  rank.state = state;
  rank.ended_at = quoted();
  end_life(pointer);
}

void Folding::apply(const CommDestroyed& event) { end_rank(event.comm.value, RankState::destroyed); }

void Folding::apply(const CommAborted& event) { end_rank(event.comm.value, RankState::aborted); }

void Folding::apply(const InitTimed& event) {
  const RankRef ref = thread().current;
  if (ref.comm < 0 || rank_of(ref).rank != event.rank) return;
  rank_of(ref).init_seconds =
      InitSeconds{event.total, event.kernels, event.alloc,       event.bootstrap, event.allgathers,
                  event.topo,  event.graphs,  event.connections, event.rest,      quoted()};
}

void Folding::apply(const BootstrapTimed& event) {
  Rank* const rank = rank_in_init();
  if (rank == nullptr) return;
  reach(*rank, InitPhase::allgather);
  rank->bootstrap_seconds =
      BootstrapSeconds{event.total, event.create, event.send, event.recv, event.ring, event.delay, quoted()};
}

}  // namespace nccl_analyze::draft
