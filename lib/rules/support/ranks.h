#pragma once
/// Looks up processes and the ranks of a communicator.

#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// nullptr for -1 and for an index out of range.
const Process* process_of(const Model& model, Index index);
/// The first communicator with a rank of this process, or -1. Its rank numbers are mostly those of the whole job.
Index main_communicator(const Model& model, Index process);
/// nullptr when the input has no line of this rank.
const Rank* find_rank(const Communicator& comm, int rank);
/// Ranks with lines in the input, sorted.
std::vector<int> logged_ranks(const Communicator& comm);
/// Ranks without lines in the input, sorted; empty when the size of the communicator is unknown.
std::vector<int> unlogged_ranks(const Communicator& comm);
/// Whether any connection of the communicator uses this transport, by NCCL's name: `NET/Socket`, `P2P`.
bool has_transport(const Communicator& comm, std::string_view transport);

/// A phase of a rank's own initialisation counts as slow from this many seconds on (NCA204).
inline constexpr double slow_phase = 5.0;
/// Seconds that the rank spent in NCCL before the bootstrap (kernels, alloc); 0 when the log has no timings.
double seconds_before_bootstrap(const Rank& rank);

}  // namespace nccl_analyze
