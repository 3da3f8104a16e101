#include "model/build/communicators.h"

#include <algorithm>

#include "model/build/merge.h"
#include "model/build/ranks.h"
#include "text/search.h"

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_waiting = 256;  // limit of GivenNames::waiting

bool is_given(std::string_view name) { return !name.empty() && name != "(null)"; }

/// Returns the seconds from the last line `Using network ...` of the thread to the current record, by their timestamps;
/// -1 if they are unknown.
double seconds_since_entered(Context& context) {
  const ThreadState& now = context.thread();
  if (!now.entered || now.mixed || context.record->origin.tid < 0) return -1;
  return seconds_between(now.entered->timestamps, timestamps_of(context.record->origin));
}

void complete_rank(Context& context, Rank& rank, const CommInitCompleted& event) {
  // a new communicator reused the pointer, and its start was not printed
  if (rank.state == RankState::complete) rank.calls = {};
  Boxed<Entered>& entered = context.thread().entered;
  if (const double seconds = seconds_since_entered(context); seconds >= 0)
    rank.stamped_seconds = StampedSeconds{entered->to_start, seconds, entered->at};
  entered = {};
  if (event.cuda_dev >= 0) {  // releases up to 2.3.7 print neither the device nor its bus id
    rank.cuda_dev = event.cuda_dev;
    if (event.bus_id.value != 0 || !rank.has_bus_id) rank.bus_id = event.bus_id.value;
    // 2.4 prints no bus id here.
    rank.has_bus_id = rank.has_bus_id || event.bus_id.value != 0 || contains(context.record->message, "busId");
  }
  if (event.nvml_dev >= 0) rank.nvml_dev = event.nvml_dev;
  rank.state = RankState::complete;
  rank.phase = InitPhase::complete;
  rank.ended_at = context.quote();
  if (const Moment now = moment_of(context.record->origin); now.microseconds >= 0) rank.times.made().completed = now;
}

CommIdentity identity_of(Hex comm, int rank, int nranks) {
  return {.function = {}, .comm = comm, .rank = rank, .nranks = nranks, .bus_id = {}, .comm_id = {}, .parent = {}};
}

/// Whether the log of the process shows communicators only by the lines that end them. In any other process, a line
/// that ends an unknown pointer may be a repetition of an earlier line.
bool is_known_by_ends(const Context& context) {
  const Lifetimes& lives = context.process->lifetimes;
  if (lives.empty()) return context.process->twin < 0;
  const RankRef last = lives.all().back().ref;
  if (last.comm < 0) return false;
  const CommState& comm = context.state.comm(last.comm);
  return comm.named && comm.comm.inferred;
}

/// Adds a rank of a communicator of which the input has only the line that ends it.
RankRef join_ended(Context& context, const CommEnd& event) {
  const RankRef ref = join(context, identity_of(event.comm, event.rank, event.nranks));
  if (ref.comm < 0) return ref;
  context.comm(ref).comm.inferred = true;
  Rank& rank = context.rank(ref);
  rank.cuda_dev = event.cuda_dev;
  rank.bus_id = event.bus_id.value;
  rank.has_bus_id = true;
  return ref;
}

/// Returns the rank that the line is about, and adds it if this is the first line to name it.
RankRef placed_rank(Context& context, const CommPlaced& event) {
  if (event.comm.value == 0) return rank_being_built(context, event.rank);  // the poster cut the pointer out
  RankRef ref = find_live(context, event.comm.value, event.rank);
  if (ref.comm >= 0 && context.rank(ref).rank == event.rank) return ref;
  ref = join(context, identity_of(event.comm, event.rank, event.nranks));
  if (ref.comm < 0) return ref;
  give_name(context, context.thread(), ref);
  context.thread().current = ref;
  context.thread().in_init = true;
  return ref;
}

void end_rank(Context& context, const CommEnd& event, RankState state) {
  RankRef ended = find_live(context, event.comm.value, event.rank);
  if (ended.comm < 0 && is_known_by_ends(context)) ended = join_ended(context, event);
  if (ended.comm < 0) return;
  Rank& rank = context.rank(ended);
  rank.state = state;
  rank.ended_at = context.quote();
  end_life(context, event.comm.value);
}

}  // namespace

void Communicators::apply(Context& context, const CommInitStarted& event) {
  close_batch(context, context.thread(), BatchKind::unknown);
  const RankRef ref = join(context, event);
  if (ref.comm < 0) return;
  Rank& rank = context.rank(ref);
  rank.cuda_dev = event.cuda_dev;
  rank.nvml_dev = event.nvml_dev;
  rank.bus_id = event.bus_id.value;
  rank.has_bus_id = true;
  rank.start_seen = true;
  if (const Moment now = moment_of(context.record->origin); now.microseconds >= 0) rank.times = RankTimes{now, {}};
  rank.calls = {};  // calls counted so far belong to an earlier use of the pointer, or to another copy of the log
  give_program_name(context, ref);
  ThreadState& now = context.thread();
  if (context.record->origin.tid < 0 && now.in_init && now.current != ref) now.mixed = true;
  now.current = ref;
  now.in_init = true;
  if (now.entered) now.entered->to_start = seconds_since_entered(context);
}

void Communicators::apply(Context& context, const CommInitCompleted& event) {
  context.note_progress();
  RankRef ref = find_live(context, event.comm.value, event.rank);
  if (ref.comm < 0 || context.rank(ref).rank != event.rank) ref = join(context, event);
  if (ref.comm < 0) return;
  give_name(context, context.thread(), ref);
  // if the start was not printed, the connections since the thread's previous COMPLETE belong to this rank, so its
  // lifetime must begin before them
  if (!context.rank(ref).start_seen && context.thread().idle_since != 0)
    context.process->lifetimes.begin_last_earlier(ref, context.thread().idle_since);
  context.comm(ref).completed = context.record->at.line;
  complete_rank(context, context.rank(ref), event);
  if (context.comm(ref).comm.comm_id == 0) context.comm(ref).comm.comm_id = event.comm_id.value;
  if (context.thread().in_init && context.thread().current == ref)
    close_batch(context, context.thread(), BatchKind::unknown);
  context.thread().current = ref;
  context.thread().in_init = false;
  context.thread().idle_since = 0;
}

void Communicators::apply(Context& context, const CommPlaced& event) {
  const RankRef ref = placed_rank(context, event);
  if (ref.comm < 0) return;
  Rank& rank = context.rank(ref);
  // values outside this range come from a damaged line
  if (event.local_ranks <= context.limits.max_ranks && event.local_rank < event.local_ranks) {
    rank.local_rank = event.local_rank;
    rank.local_ranks = event.local_ranks;
  }
  if (event.nnodes > 0) reach(rank, InitPhase::topology);
  Communicator& comm = context.comm(ref).comm;
  comm.nnodes = std::max(comm.nnodes, event.nnodes);
  comm.mnnvl = std::max(comm.mnnvl, event.mnnvl);
  if (comm.nranks < 0) comm.nranks = event.nranks;
}

void Communicators::apply(Context& context, const CommDestroyed& event) {
  context.note_progress();
  end_rank(context, event, RankState::destroyed);
}

void Communicators::apply(Context& context, const CommAborted& event) { end_rank(context, event, RankState::aborted); }

void Communicators::apply(Context& context, const InitTimed& event) {
  RankRef ref = context.thread().current;
  // in an excerpt, this may be the only line of the communicator, which is then created here
  if (ref.comm < 0 && event.nranks > 0 && event.nranks <= context.limits.max_ranks) {
    ref = rank_being_built(context, event.rank);
    if (ref.comm >= 0) context.comm(ref).comm.nranks = event.nranks;
  }
  if (ref.comm < 0 || context.rank(ref).rank != event.rank) return;
  context.rank(ref).init_seconds =
      InitSeconds{event.total, event.kernels, event.alloc,       event.bootstrap, event.allgathers,
                  event.topo,  event.graphs,  event.connections, event.rest,      context.quote()};
}

void Communicators::apply(Context& context, const BootstrapTimed& event) {
  const RankRef ref = rank_being_built(context);
  if (ref.comm < 0) return;
  Rank& rank = context.rank(ref);
  reach(rank, InitPhase::allgather);
  rank.bootstrap_seconds =
      BootstrapSeconds{event.total, event.create, event.send, event.recv, event.ring, event.delay, context.quote()};
}

void Communicators::apply(Context& context, const CommConfigSet& event) {
  if (!is_name(event) || !is_given(event.value)) return;
  if (!is_name_to_come(event)) {
    if (rank_in_init(context) != nullptr) add_name(context.comm(context.thread().current), event.value);
    return;
  }
  GivenNames& given = given_names_[context.process_number];
  if (given.waiting.size() < max_waiting)
    given.waiting.push_back({context.record->origin.tid, std::string(event.value)});
}

void Communicators::give_program_name(Context& context, RankRef ref) {
  const auto found = given_names_.find(context.process_number);
  if (found == given_names_.end()) return;
  GivenNames& given = found->second;
  auto own = std::find_if(given.waiting.begin(), given.waiting.end(), [&](const GivenNames::Given& one) {
    return one.tid >= 0 && one.tid == context.record->origin.tid;
  });
  const bool same_thread = own != given.waiting.end();
  if (!same_thread) own = given.waiting.begin();
  const bool alike = std::all_of(given.waiting.begin(), given.waiting.end(),
                                 [&](const GivenNames::Given& one) { return one.name == own->name; });
  given.mixed = given.mixed || !(same_thread || alike);
  if (same_thread || !given.mixed) add_name(context.comm(ref), own->name);
  given.waiting.erase(own);
  if (given.waiting.empty()) given_names_.erase(found);
}

}  // namespace nccl_analyze::builder
