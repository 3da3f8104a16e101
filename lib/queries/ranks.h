#pragma once
/// Looks up processes and the ranks of a communicator, and what lines show of them: transports, timings, missing ranks.

#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule_parts.h"

namespace nccl_analyze {

/// Returns the number of ranks of the largest communicator in the log; -1 if the log shows none.
int job_size(const Model& model);

/// Returns `32 processes with 32 GPUs on 4 nodes`, or `32 ranks on 4 nodes` if the number of processes is unknown.
std::string ras_job_text(const RasJob& job);
/// Returns the process of the rank with this number in the job, by the communicators of the whole job; -1 if it is not
/// known.
Index process_of_job_rank(const Model& model, int rank);
/// Returns the sorted ranks that have no lines in the input; empty if the size of the communicator is unknown.
std::vector<int> unlogged_ranks(const Communicator& comm);
/// Whether processes were left out because of ModelLimits::max_processes. What seems to be missing may then be there.
bool lacks_processes(const Model& model);
/// Whether lines of this input may be from ranks that the model does not place in a named communicator.
bool has_unplaced_lines(const Model& model);
/// Whether any connection of the communicator uses this transport: `NET/Socket`, `SHM`.
bool has_transport(const Communicator& comm, std::string_view transport);

/// The number of seconds from which a phase of the initialisation counts as slow (NCA204).
inline constexpr double slow_phase = 5.0;
/// Returns the seconds that the rank spent in NCCL before the bootstrap (kernels, alloc); 0 if the log has no timings.
double seconds_before_bootstrap(const Rank& rank);

}  // namespace nccl_analyze
