// Communicators and ranks: who joins whom, and how far each has come.

#include "model/build/builder.h"

namespace nccl_analyze::draft {

namespace {

constexpr int max_generations = 1024;  // of one identity: jobs that start again in one log

}  // namespace

bool Folding::is_same_rank(const Rank& rank, const CommIdentity& event) const {
  if (rank.comm != event.comm.value) return false;
  if (rank.process == process_number_) return true;
  for (Index twin = process_->twin; twin >= 0; twin = job_.processes[static_cast<std::size_t>(twin)].twin)
    if (twin == rank.process) return true;
  return false;
}

Index Folding::find_parent(std::uint64_t pointer) const {
  if (const LiveRank* const own = process_->by_pointer.find(pointer)) return own->ref.comm;
  Index only = -1;
  for (Index twin = process_->twin; twin >= 0; twin = job_.processes[static_cast<std::size_t>(twin)].twin) {
    const LiveRank* const found = job_.processes[static_cast<std::size_t>(twin)].by_pointer.find(pointer);
    if (found == nullptr || found->ref.comm == only) continue;
    if (only >= 0) return -1;
    only = found->ref.comm;
  }
  return only;
}

RankRef Folding::join(const CommIdentity& event) {
  if (event.rank < 0 || event.rank >= event.nranks || event.nranks > limits_.max_ranks) {
    dropped_ += record_->times;
    return {};
  }
  Index parent = -1;
  if (event.parent.value != 0) {
    parent = find_parent(event.parent.value);
  }
  // Children print no id since 2.23.4: ranks of one parent, count and colour are one communicator. Without the
  // parent's start nothing joins two processes, and the pointer keeps them apart.
  const bool known = event.comm_id.value != 0 || parent >= 0;
  CommKey key{0, parent, event.split_count, event.color, event.nranks, 0};
  if (event.comm_id.value != 0) key = {event.comm_id.value, -1, -1, -1, event.nranks, 0};
  if (!known) key = {event.comm.value, -2 - process_number_, event.split_count, event.color, event.nranks, 0};
  for (;; ++key.generation) {
    const auto found = comm_index_.find(key);
    if (found == comm_index_.end()) break;
    if (key.generation == max_generations) {
      dropped_ += record_->times;
      return {};
    }
    CommDraft& comm = job_.comms[static_cast<std::size_t>(found->second)];
    const Index slot = comm.slot_of(event.rank);
    if (slot < 0) return add_rank(found->second, event);
    if (!is_same_rank(comm.rank_at(slot), event)) continue;
    const RankRef ref{found->second, slot};
    if (!process_->by_pointer.contains(event.comm.value)) begin_life(event.comm.value, ref);
    return ref;
  }
  if (job_.comms.size() >= limits_.max_communicators) {
    dropped_ += record_->times;
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
  made.alone = !known;
  if (made.alone) made.opened = thread().idle_since;
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
  comm.note_slot(slot);
  const RankRef ref{number, slot};
  end_life(event.comm.value);  // the pointer is used again: what had it before is gone
  begin_life(event.comm.value, ref);
  return ref;
}

void Folding::begin_life(std::uint64_t pointer, RankRef ref) {
  process_->by_pointer[pointer] = {ref, process_->lives.begin(ref, record_->at.line)};
}

void Folding::give_name(ThreadDraft& now, RankRef ref) {
  if (!now.in_init || now.current == ref || comm_of(now.current).named) return;
  const Rank& built = rank_of(now.current);
  Rank& rank = rank_of(ref);
  if (built.rank >= 0 && built.rank != rank.rank) return;
  close_batch(now, BatchKind::unknown);
  CommDraft& into = comm_of(ref);
  CommDraft& from = comm_of(now.current);
  merge_graph(into, from);
  rank.channels = std::max(rank.channels, built.channels);
  rank.nics |= built.nics;
  rank.connected |= built.connected;
  rank.nvls_head = std::max(rank.nvls_head, built.nvls_head);
  if (rank.rings_at.line == 0) rank.rings_at = built.rings_at;
  if (rank.trees_at.line == 0) rank.trees_at = built.trees_at;
  if (!rank.bootstrap_seconds) rank.bootstrap_seconds = built.bootstrap_seconds;
  if (!rank.times) rank.times = built.times;
  rank.started_at = std::min(rank.started_at, built.started_at);
  into.comm.first = std::min(into.comm.first, from.comm.first);
  if (const LiveRank* const live = process_->by_pointer.find(rank.comm); live != nullptr && live->ref == ref)
    process_->lives.begin_earlier(live->life, from.opened);
  process_->lives.forget(now.life);
  hand_over(from, ref.comm);
  now.current = ref;
}

void Folding::end_life(std::uint64_t pointer) {
  const LiveRank* const found = process_->by_pointer.find(pointer);
  if (found == nullptr) return;
  process_->lives.end(found->life, record_->at.line);
  process_->by_pointer.erase(pointer);
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
  rank.start_seen = true;
  if (const Moment now = moment_of(record_->origin); now.microseconds >= 0) rank.times = RankTimes{now, {}};
  rank.calls = {};  // of another life, or of another copy of its log
  give_program_name(ref);
  ThreadDraft& now = thread();
  if (record_->origin.tid < 0 && now.in_init && now.current != ref) now.mixed = true;
  now.current = ref;
  now.in_init = true;
  now.to_start = seconds_since_entered();
}

double Folding::seconds_since_entered() {
  const ThreadDraft& now = thread();
  if (now.entered_at.line == 0 || now.mixed || record_->origin.tid < 0) return -1;
  return seconds_between(now.entered, stamps_of(record_->origin));
}

void Folding::apply(const CommInitCompleted& event) {
  note_progress();
  RankRef ref = find_live(event.comm.value, event.rank);
  if (ref.comm < 0 || rank_of(ref).rank != event.rank) ref = join(event);
  if (ref.comm < 0) return;
  give_name(thread(), ref);
  // Its start was not printed, or is not here: what this thread connected before is its own.
  if (!rank_of(ref).start_seen && thread().idle_since != 0)
    process_->lives.begin_last_earlier(ref, thread().idle_since);
  comm_of(ref).completed = record_->at.line;
  Rank& rank = rank_of(ref);
  if (rank.state == RankState::complete) rank.calls = {};  // the pointer is used again, and no start says so
  if (const double seconds = seconds_since_entered(); seconds >= 0)
    rank.stamped_seconds = StampedSeconds{thread().to_start, seconds, thread().entered_at};
  thread().entered_at = {};
  if (event.cuda_dev >= 0) {  // up to 2.3.7 the line has neither the device nor its bus id
    rank.cuda_dev = event.cuda_dev;
    if (event.bus_id.value != 0 || !rank.has_bus_id) rank.bus_id = event.bus_id.value;
    rank.has_bus_id = true;
  }
  if (event.nvml_dev >= 0) rank.nvml_dev = event.nvml_dev;
  rank.state = RankState::complete;
  rank.phase = InitPhase::complete;
  rank.ended_at = quoted();
  if (const Moment now = moment_of(record_->origin); now.microseconds >= 0) rank.times.made().completed = now;
  if (comm_of(ref).comm.comm_id == 0) comm_of(ref).comm.comm_id = event.comm_id.value;
  if (thread().in_init && thread().current == ref) close_batch(thread(), BatchKind::unknown);
  thread().current = ref;
  thread().in_init = false;
  thread().idle_since = 0;
}

void Folding::apply(const CommPlaced& event) {
  RankRef ref = find_live(event.comm.value, event.rank);
  if (ref.comm < 0 || rank_of(ref).rank != event.rank) {
    ref = join(CommIdentity{.function = {},
                            .comm = event.comm,
                            .rank = event.rank,
                            .nranks = event.nranks,
                            .bus_id = {},
                            .comm_id = {},
                            .parent = {}});
    if (ref.comm < 0) return;
    give_name(thread(), ref);
    thread().current = ref;
    thread().in_init = true;
  }
  Rank& rank = rank_of(ref);
  if (event.local_ranks <= limits_.max_ranks && event.local_rank < event.local_ranks) {  // else it is damage
    rank.local_rank = event.local_rank;
    rank.local_ranks = event.local_ranks;
  }
  if (event.nnodes > 0) reach(rank, InitPhase::topology);
  Communicator& comm = comm_of(ref).comm;
  comm.nnodes = std::max(comm.nnodes, event.nnodes);
  comm.mnnvl = std::max(comm.mnnvl, event.mnnvl);
  if (comm.nranks < 0) comm.nranks = event.nranks;
}

void Folding::end_rank(std::uint64_t pointer, int number, RankState state) {
  const RankRef live = find_live(pointer, number);
  if (live.comm < 0) return;
  Rank& rank = rank_of(live);
  rank.state = state;
  rank.ended_at = quoted();
  end_life(pointer);
}

void Folding::apply(const CommDestroyed& event) {
  note_progress();
  end_rank(event.comm.value, event.rank, RankState::destroyed);
}

void Folding::apply(const CommAborted& event) { end_rank(event.comm.value, event.rank, RankState::aborted); }

void Folding::apply(const InitTimed& event) {
  RankRef ref = thread().current;
  if (ref.comm < 0 && event.nranks > 0 && event.nranks <= limits_.max_ranks) {  // an excerpt that holds nothing else
    ref = rank_being_built(event.rank);
    if (ref.comm >= 0) comm_of(ref).comm.nranks = event.nranks;
  }
  if (ref.comm < 0 || rank_of(ref).rank != event.rank) return;
  rank_of(ref).init_seconds =
      InitSeconds{event.total, event.kernels, event.alloc,       event.bootstrap, event.allgathers,
                  event.topo,  event.graphs,  event.connections, event.rest,      quoted()};
}

void Folding::apply(const BootstrapTimed& event) {
  const RankRef ref = rank_being_built();
  if (ref.comm < 0) return;
  Rank& rank = rank_of(ref);
  reach(rank, InitPhase::allgather);
  rank.bootstrap_seconds =
      BootstrapSeconds{event.total, event.create, event.send, event.recv, event.ring, event.delay, quoted()};
}

void Folding::drop_joined_communicators() {
  std::vector<Index> number(job_.comms.size(), -1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < job_.comms.size(); ++i)
    if (job_.comms[i].into < 0) number[i] = static_cast<Index>(kept++);
  if (kept == job_.comms.size()) return;
  const auto move = [&](Index& comm) {
    if (comm >= 0) comm = number[static_cast<std::size_t>(owner_of(job_, comm))];
  };
  for (CommDraft& comm : job_.comms) move(comm.comm.parent);
  for (Ambiguity& ambiguity : job_.ambiguities)
    for (Index& candidate : ambiguity.candidates) move(candidate);
  keeper_.visit_incidents([&](Incident& incident) {
    if (incident.communicator >= 0 && incident.rank < 0)
      incident.rank = job_.comms[static_cast<std::size_t>(incident.communicator)].comm.ranks.front().rank;
    move(incident.communicator);
  });
  std::erase_if(job_.comms, [](const CommDraft& comm) { return comm.into >= 0; });
}

}  // namespace nccl_analyze::draft
