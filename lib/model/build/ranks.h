#pragma once
// Which rank of which communicator a line is of. Most lines name neither: the thread that prints them decides.

#include <cstdint>
#include <vector>

#include "model/build/context.h"

namespace nccl_analyze::builder {

/// The rank whose initialisation runs in this thread; null when none does.
Rank* rank_in_init(Context& context);

/// The rank whose initialisation runs in this thread. Where no line shows that one has begun (its start was not printed
/// or is not in the log) one begins here, nameless until its end names it. `rank`: its number, when the line has it.
RankRef rank_being_built(Context& context, int rank = -1);

/// The rank of a line that names no communicator: the one that is being initialised, or the only one of its process.
RankRef rank_at_work(Context& context, int rank);

/// The live communicator with this pointer, in this process or in the part of its log that another source holds.
RankRef find_live(Context& context, std::uint64_t pointer, int rank);

/// The rank of the communicator that a line names, or else whose initialisation runs in this thread; comm -1 = none.
RankRef sender_rank(Context& context, Hex comm, int rank, int nranks);

/// The rank's place in a communicator that is known by this identity, or in a new one; comm -1 beyond a limit.
RankRef join(Context& context, const CommIdentity& identity);

/// What the thread built before a line named it belongs to `ref`.
void give_name(Context& context, ThreadState& now, RankRef ref);

void end_life(Context& context, std::uint64_t pointer);

/// Raises the phase of a rank whose initialisation runs.
void reach(Rank& rank, InitPhase phase);

/// Ends the thread's open batch. An initialisation decides which communicator its connections are of; other batches
/// wait until the whole log is read.
void close_batch(Context& context, ThreadState& now, BatchKind kind, int pxn = -1, int gdr = -1);

}  // namespace nccl_analyze::builder
