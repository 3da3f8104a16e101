#pragma once
// Finds the rank and the communicator of a line. Most lines name neither and are attributed by their thread.

#include <cstdint>
#include <vector>

#include "model/build/context.h"

namespace nccl_analyze::builder {

/// The rank whose initialisation runs in this thread; null if there is none.
Rank* rank_in_init(Context& context);

/// The rank whose initialisation runs in this thread. If no start was seen (it was not printed or is not in the log),
/// an unnamed communicator is created, which give_name() merges into the real communicator later. `rank`: the rank
/// number in the line; -1 = none. The result's `comm` is -1 if another rank is initialising in this thread, or if
/// threads cannot be distinguished.
RankRef rank_being_built(Context& context, int rank = -1);

/// The rank of a line that names no communicator: the rank whose initialisation runs in this thread, else the only live
/// rank of the process. The result is empty if that rank does not have the number `rank`; -1 matches every number.
RankRef rank_at_work(Context& context, int rank);

/// The live rank with this communicator pointer, in the current process or, if it has the number `rank`, in another
/// part of its log.
RankRef find_live(Context& context, std::uint64_t pointer, int rank);

/// The rank of a line: the rank of the communicator `comm` if the line names it, else the rank whose initialisation
/// runs in this thread. Its `comm` is -1 if there is none.
RankRef sender_rank(Context& context, Hex comm, int rank, int nranks);

/// Finds or adds the rank in the communicator with this identity, which is created if it is new. The result's `comm` is
/// -1 if a limit is exceeded.
RankRef join(Context& context, const CommIdentity& identity);

/// Merges the unnamed communicator that the thread has built into the communicator of `ref`.
void give_name(Context& context, ThreadState& now, RankRef ref);

void end_life(Context& context, std::uint64_t pointer);

/// Raises the phase of a rank that is still initialising.
void reach(Rank& rank, InitPhase phase);

/// Ends the thread's open batch. Its connections are added to their communicator if the batch names it or an
/// initialisation runs in the thread; otherwise the batch is kept until the whole log is read.
void close_batch(Context& context, ThreadState& now, BatchKind kind, int pxn = -1, int gdr = -1);

}  // namespace nccl_analyze::builder
