#pragma once
/// Compares how often the ranks of a communicator have launched each operation, by the JSON reports of NCCL's RAS
/// client.

#include <cstdint>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// The newest report about a communicator. newest_reports() returns one for each, in the order of Model::ras_reports.
struct NewestReport {
  const RasReport* report = nullptr;
  const RasCommunicator* comm = nullptr;
  const RasReport* older = nullptr;  ///< The previous report with another time; null if there is none.
  const RasCommunicator* older_comm = nullptr;
};
std::vector<NewestReport> newest_reports(const Model& model);

/// Returns how often most ranks of the communicator have launched the operation: the count of its largest group. -1 if
/// there is no group.
std::int64_t majority_launch_count(const RasOpCounts& counts);
/// Returns how often a rank has launched the operation; -1 if the report does not show it.
std::int64_t launch_count_of(const RasOpCounts& counts, int rank);

/// A rank that has launched one operation more often and another one less often than most ranks. All ranks of a
/// communicator launch the same operations in the same order, so this rank called different operations.
struct LaunchMismatch {
  const RasOpCounts::Listed* rank = nullptr;  ///< The rank in the list of `fewer`.
  const RasOpCounts *more = nullptr, *fewer = nullptr;
};
/// Finds ranks that have launched one operation at least two times more than most ranks, and another one at least two
/// times less. Smaller differences prove nothing, because ranks launch operations while the client reads.
std::vector<LaunchMismatch> find_launch_mismatches(const RasCommunicator& comm);

/// Returns `rank 12 (worker-1:4711)` if the process is known, else `rank 12 (pid 4711 on 10.0.4.52)` or, without a
/// host, `rank 12`.
std::string reported_rank_text(const Model& model, int rank, Index process, std::int64_t pid, const Text& host);

}  // namespace nccl_analyze
