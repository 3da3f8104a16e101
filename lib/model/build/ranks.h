#pragma once
// Finds the rank and the communicator of a line. Most lines name neither and are attributed by their thread.

#include <cstdint>
#include <vector>

#include "model/build/context.h"

namespace nccl_analyze::builder {

/// The rank whose initialisation runs in this thread; null if there is none.
Rank* rank_in_init(Context& context);

/// The rank whose initialisation runs in this thread. If its start was not seen (not printed, or not in the log), an
/// unnamed communicator is created for it, which give_name() merges into the real communicator later. `rank`: the rank
/// number in the line; -1 = none. The result's `comm` is -1 if a rank with another number is initialising in this
/// thread, if threads cannot be distinguished, or if a limit is reached.
RankRef rank_being_built(Context& context, int rank = -1);

/// The rank of a line that names no communicator: the rank whose initialisation runs in this thread, else the only live
/// rank of the process. The result is empty if that rank does not have the number `rank`; -1 matches every number.
RankRef rank_at_work(Context& context, int rank);

/// The live rank with this communicator pointer in the current process. If there is none, searches other sources for
/// the same process, but accepts only a rank with the number `rank`, because a pointer may be reused.
RankRef find_live(Context& context, std::uint64_t pointer, int rank);

/// The rank that printed a line. If the line names its communicator (`comm`), the live rank of that communicator, which
/// is added if it is new and `rank` and `nranks` are known; else the rank whose initialisation runs in this thread. The
/// result's `comm` is -1 if there is none.
RankRef sender_rank(Context& context, Hex comm, int rank, int nranks);

/// Finds or adds the rank with this identity, and adds its communicator if that is new. The result's `comm` is -1 if a
/// limit is exceeded.
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
