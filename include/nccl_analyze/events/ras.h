#pragma once
/// Events of NCCL's RAS threads, which watch the processes of a job, and of the RAS client (2.24.3+).

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// The RAS threads declared a process dead.
struct RasPeerDead {
  static constexpr std::string_view name = "ras_peer_dead";
  std::string_view peer;  ///< `ip<port>` of the process's RAS thread.
  NCCL_ANALYZE_FIELDS(RasPeerDead, peer)
};

/// A connection between RAS threads timed out.
struct RasTimedOut {
  static constexpr std::string_view name = "ras_timed_out";
  std::string_view what;  ///< `keep-alive timeout error`, `collective`, …
  std::int64_t seconds = -1;
  std::string_view peer;
  int missing = -1;  ///< Number of missing responses in a RAS collective; -1 in other cases.
  NCCL_ANALYZE_FIELDS(RasTimedOut, what, seconds, peer, missing)
};

/// Another process has a different version of NCCL, as the RAS threads of the two processes found.
struct RasVersionMismatched {
  static constexpr std::string_view name = "ras_version_mismatched";
  std::string_view peer, local, remote;
  NCCL_ANALYZE_FIELDS(RasVersionMismatched, peer, local, remote)
};

/// The RAS client reports that the ranks of a communicator have launched an operation different numbers of times.
/// RasRanksCounted and RasRankListed give the numbers.
struct RasCountsDiffer {
  static constexpr std::string_view name = "ras_counts_differ";
  std::string_view operation;
  NCCL_ANALYZE_FIELDS(RasCountsDiffer, operation)
};

/// A group of ranks that have launched the operation of the last RasCountsDiffer equally often.
struct RasRanksCounted {
  static constexpr std::string_view name = "ras_ranks_counted";
  std::int64_t ranks = -1, launched = 0;  ///< Number of ranks, and number of operations that each of them launched.
  NCCL_ANALYZE_FIELDS(RasRanksCounted, ranks, launched)
};

/// A rank of the last RasRanksCounted's group, or a rank that the report lists without a group.
struct RasRankListed {
  static constexpr std::string_view name = "ras_rank_listed";
  int rank = -1;
  std::int64_t launched = -1;  ///< Operations that the rank launched; -1: as many as each rank of the group.
  std::string_view gpu, node;
  std::int64_t pid = -1;
  NCCL_ANALYZE_FIELDS(RasRankListed, rank, launched, gpu, node, pid)
};

}  // namespace nccl_analyze
