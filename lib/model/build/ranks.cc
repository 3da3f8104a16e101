#include "model/build/ranks.h"

#include <algorithm>

#include "model/build/merge.h"

namespace nccl_analyze::builder {

namespace {

constexpr int max_generations = 1024;         // a job may restart this often within a log
constexpr std::size_t max_rank_devices = 64;  // limit of CommState::devices

/// Whether the current record is from this rank: it has the same communicator pointer, and its process is the same or
/// may be the same in another source (ProcessState::twin).
bool is_same_rank(const Context& context, const Rank& rank, const CommIdentity& identity) {
  if (rank.comm != identity.comm.value) return false;
  if (rank.process == context.process_number) return true;
  for (Index twin = context.process->twin; twin >= 0; twin = context.state.processes[twin].twin)
    if (twin == rank.process) return true;
  return false;
}

/// Returns the communicator with this pointer in the current process, else in the processes of other sources that may
/// be the same process (ProcessState::twin). -1 if there is none, or if their communicators differ.
Index find_parent(const Context& context, std::uint64_t pointer) {
  if (const LiveRank* const own = context.process->by_pointer.find(pointer)) return own->ref.comm;
  Index only = -1;
  for (Index twin = context.process->twin; twin >= 0; twin = context.state.processes[twin].twin) {
    const LiveRank* const found = context.state.processes[twin].by_pointer.find(pointer);
    if (found == nullptr || found->ref.comm == only) continue;
    if (only >= 0) return -1;
    only = found->ref.comm;
  }
  return only;
}

void begin_life(Context& context, std::uint64_t pointer, RankRef ref) {
  context.process->by_pointer[pointer] = {ref, context.process->lifetimes.begin(ref, context.record->at.line)};
}

RankRef add_rank(Context& context, Index number, const CommIdentity& identity) {
  CommState& comm = context.state.comm(number);
  const auto slot = static_cast<Index>(comm.comm.ranks.size());
  Rank& rank = comm.comm.ranks.emplace_back();
  rank.rank = identity.rank;
  rank.process = context.process_number;
  rank.comm = identity.comm.value;
  rank.started_at = context.quote();
  comm.note_slot(slot);
  const RankRef ref{number, slot};
  end_life(context, identity.comm.value);  // the pointer is reused: its previous communicator no longer exists
  begin_life(context, identity.comm.value, ref);
  return ref;
}

/// Whether all ranks of the communicator print the same identity, so that it can join ranks of different processes.
/// Without an id and without a known parent, the identity is valid only within its process.
bool is_common(const CommIdentity& identity, Index parent) { return identity.comm_id.value != 0 || parent >= 0; }

/// Returns the key by which the ranks of a communicator are joined: its id or, for child communicators, which print no
/// id since 2.23.4, the parent, split count and color. If the parent is unknown, the key is the pointer and the
/// process, which joins no ranks of different processes.
CommKey key_of(const Context& context, const CommIdentity& identity, Index parent) {
  if (identity.comm_id.value != 0) return {identity.comm_id.value, -1, -1, -1, identity.nranks, 0};
  if (parent >= 0) return {0, parent, identity.split_count, identity.color, identity.nranks, 0};
  return {identity.comm.value, -2 - context.process_number, identity.split_count, identity.color, identity.nranks, 0};
}

void add_communicator(Context& context, const CommIdentity& identity, Index parent) {
  CommState& made = context.state.comms.emplace_back();
  made.comm.comm_id = identity.comm_id.value;
  made.comm.parent = parent;
  made.comm.split_count = identity.split_count;
  made.comm.color = identity.color;
  made.comm.created_by = std::string(identity.function);
  made.comm.nranks = identity.nranks;
  made.comm.first = context.record->at;
  made.alone = !is_common(identity, parent);
  if (made.alone) made.opened = context.thread().idle_since;
}

RankRef begin_unidentified(Context& context, ThreadState& now, int rank) {
  if (context.state.comms.size() >= context.most_communicators()) {
    context.drop();
    return {};
  }
  now.current = {static_cast<Index>(context.state.comms.size()), 0};
  now.in_init = true;
  CommState& made = context.state.comms.emplace_back();
  made.named = false;
  made.alone = true;
  made.comm.inferred = true;
  made.comm.first = context.record->at;
  made.opened = now.idle_since != 0 ? now.idle_since : context.record->at.line;
  Rank& own = made.comm.ranks.emplace_back();
  own.rank = rank;
  own.process = context.process_number;
  own.phase = InitPhase::topology;
  own.started_at = context.record->at;
  if (rank >= 0) made.note_slot(0);
  now.life = context.process->lifetimes.begin(now.current, made.opened);
  return now.current;
}

void learn_rank(Context& context, RankRef ref, int rank) {
  context.rank(ref).rank = rank;
  context.comm(ref).note_slot(ref.slot);
}

}  // namespace

Rank* rank_in_init(Context& context) {
  const ThreadState& now = context.thread();
  return now.current.comm >= 0 && now.in_init && !now.mixed ? &context.rank(now.current) : nullptr;
}

RankRef rank_being_built(Context& context, int rank) {
  ThreadState& now = context.thread();
  if (now.mixed) return {};
  if (!now.in_init) return begin_unidentified(context, now, rank);
  Rank& own = context.rank(now.current);
  if (rank < 0 || own.rank == rank) return now.current;
  if (own.rank < 0) {
    learn_rank(context, now.current, rank);
    return now.current;
  }
  if (context.comm(now.current).named) return {};
  close_batch(context, now, BatchKind::unknown);
  if (context.record->origin.tid < 0) {
    now.mixed = true;
    return {};
  }
  return begin_unidentified(context, now, rank);
}

RankRef rank_at_work(Context& context, int rank) {
  const ThreadState& now = context.thread();
  const RankRef ref = now.in_init && !now.mixed ? now.current : context.process->lifetimes.only_open();
  return ref.comm >= 0 && (rank < 0 || context.rank(ref).rank == rank) ? ref : RankRef{};
}

RankRef find_live(Context& context, std::uint64_t pointer, int rank) {
  if (const LiveRank* const own = context.process->by_pointer.find(pointer)) return own->ref;
  for (Index twin = context.process->twin; twin >= 0;) {
    const ProcessState& other = context.state.processes[twin];
    const LiveRank* const found = other.by_pointer.find(pointer);
    if (found != nullptr && rank >= 0 && context.rank(found->ref).rank == rank) {
      const RankRef ref = found->ref;
      begin_life(context, pointer, ref);
      return ref;
    }
    twin = other.twin;
  }
  return {};
}

RankRef sender_rank(Context& context, Hex comm, int rank, int nranks) {
  if (comm.value == 0) return rank_being_built(context, rank);
  const RankRef live = find_live(context, comm.value, rank);
  if (live.comm >= 0 || rank < 0 || nranks <= 0) return live;
  return join(
      context,
      {.function = {}, .comm = comm, .rank = rank, .nranks = nranks, .bus_id = {}, .comm_id = {}, .parent = {}});
}

RankRef join(Context& context, const CommIdentity& identity) {
  if (identity.rank < 0 || identity.rank >= identity.nranks || identity.nranks > context.limits.max_ranks) {
    context.drop();
    return {};
  }
  const Index parent = identity.parent.value != 0 ? find_parent(context, identity.parent.value) : -1;
  CommKey key = key_of(context, identity, parent);
  for (;; ++key.generation) {
    const Index found = context.comm_index.find(key);
    if (found < 0) break;
    if (key.generation == max_generations) {
      context.drop();
      return {};
    }
    CommState& comm = context.state.comm(found);
    const Index slot = comm.slot_of(identity.rank);
    if (slot < 0) return add_rank(context, found, identity);
    if (!is_same_rank(context, comm.rank_at(slot), identity)) continue;
    const RankRef ref{found, slot};
    if (!context.process->by_pointer.contains(identity.comm.value)) begin_life(context, identity.comm.value, ref);
    return ref;
  }
  if (context.state.comms.size() >= context.most_communicators()) {
    context.drop();
    return {};
  }
  const auto number = static_cast<Index>(context.state.comms.size());
  context.comm_index.add(key, number);
  add_communicator(context, identity, parent);
  return add_rank(context, number, identity);
}

void give_name(Context& context, ThreadState& now, RankRef ref) {
  if (!now.in_init || now.current == ref || context.comm(now.current).named) return;
  const Rank& built = context.rank(now.current);
  Rank& rank = context.rank(ref);
  if (built.rank >= 0 && built.rank != rank.rank) return;
  close_batch(context, now, BatchKind::unknown);
  CommState& into = context.comm(ref);
  CommState& from = context.comm(now.current);
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
  if (const LiveRank* const live = context.process->by_pointer.find(rank.comm); live != nullptr && live->ref == ref)
    context.process->lifetimes.begin_earlier(live->life, from.opened);
  context.process->lifetimes.forget(now.life);
  empty_merged(from, ref.comm);
  now.current = ref;
}

void end_life(Context& context, std::uint64_t pointer) {
  const LiveRank* const found = context.process->by_pointer.find(pointer);
  if (found == nullptr) return;
  context.process->lifetimes.end(found->life, context.record->at.line);
  context.process->by_pointer.erase(pointer);
}

void reach(Rank& rank, InitPhase phase) {
  if (rank.state == RankState::started) rank.phase = std::max(rank.phase, phase);
}

void close_batch(Context& context, ThreadState& now, BatchKind kind, int pxn, int gdr) {
  if (!now.batch) return;
  Batch& batch = *now.batch;
  batch.kind = kind;
  batch.ring_pxn = pxn;
  batch.ring_gdr = gdr;
  batch.connections.fold();
  RankRef ref;
  if (batch.comm != 0) {
    ref = find_live(context, batch.comm, batch.self);
  } else if (now.in_init && !now.mixed) {
    ref = now.current;
    if (context.rank(ref).rank < 0) learn_rank(context, ref, batch.self);
    CommState& own = context.comm(ref);
    if (own.alone && own.devices.size() < max_rank_devices)
      own.devices.insert(own.devices.end(), batch.devices.begin(), batch.devices.end());
  }
  const bool known = ref.comm >= 0 && context.rank(ref).rank == batch.self;
  if (known) {
    merge_batch(context.state, ref.comm, batch);
  } else if (context.closed_batches.insert(spread(content_of(batch) + now.number) >> 1U)) {
    context.state.batches.add(batch);
  }
  batch.clear();
  context.spare_batch = std::move(now.batch);
}

}  // namespace nccl_analyze::builder
