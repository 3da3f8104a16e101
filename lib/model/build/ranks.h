#pragma once
// Finds the rank and the communicator of a line. Most lines name neither and are attributed by their thread.

#include <cstdint>
#include <vector>

#include "model/build/context.h"

namespace nccl_analyze::builder {

/// Returns the rank whose initialisation runs in this thread; null if there is none, or if threads cannot be
/// distinguished.
Rank* rank_in_init(Context& context);

/// Returns the rank whose initialisation runs in this thread. `rank` is the rank number that the line prints; -1 =
/// none. If the start of the initialisation was not seen (not printed, or not in the log), creates an unnamed
/// communicator with a rank, which give_name() merges into the real communicator later. The result's `comm` is -1 if a
/// rank with another number is initialising here in a communicator that a line has named, if threads cannot be
/// distinguished, or if a limit is reached.
RankRef rank_being_built(Context& context, int rank = -1);

/// Returns the rank of a line that names no communicator: the rank whose initialisation runs in this thread, else the
/// only rank of the process whose communicator still exists. The result is empty if there is none, or if that rank does
/// not have the number `rank`; -1 matches every number.
RankRef rank_at_work(Context& context, int rank);

/// Returns the rank to which a communicator pointer of the current process refers at present. If it refers to none,
/// searches the logs of the same process in other sources, but accepts only a rank with the number `rank`, because a
/// pointer may be reused. The result's `comm` is -1 if none is found.
RankRef find_live(Context& context, std::uint64_t pointer, int rank);

/// Returns the rank that printed a line. If the line names its communicator by the pointer `comm`, returns the result
/// of find_live(), and if that is empty, adds the rank, provided that `rank` and `nranks` are known. If `comm` is 0,
/// returns the result of rank_being_built(). The result's `comm` is -1 if there is no such rank.
RankRef sender_rank(Context& context, Hex comm, int rank, int nranks);

/// Finds or adds the rank with this identity, and adds its communicator if that is new. The result's `comm` is -1 if
/// the rank number is invalid or a limit is exceeded.
RankRef join(Context& context, const CommIdentity& identity);

/// Merges the unnamed communicator that the thread has built into the communicator of `ref`. Does nothing if the thread
/// has built none, or one for a rank with another number.
void give_name(Context& context, ThreadState& now, RankRef ref);

void end_life(Context& context, std::uint64_t pointer);

/// Raises the phase of a rank that is still initialising.
void reach(Rank& rank, InitPhase phase);

/// Ends the thread's open batch, if there is one. Its connections are added to their communicator if the batch names it
/// or an initialisation runs in the thread; otherwise the batch is kept until the whole log is read. `kind`, `pxn` and
/// `gdr` are values of the line that ends the batch.
void close_batch(Context& context, ThreadState& now, BatchKind kind, int pxn = -1, int gdr = -1);

}  // namespace nccl_analyze::builder
