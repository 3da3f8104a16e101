#pragma once
/// Events of NCCL's RAS threads, which watch the processes of a job, and of the RAS client (2.24.3+).

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// The RAS threads declared a process dead.
struct RasPeerDead {
  static constexpr std::string_view name = "ras_peer_dead";
  std::string_view peer;  ///< `ip<port>` of its RAS thread.
  NCCL_ANALYZE_FIELDS(RasPeerDead, peer)
};

/// A connection between RAS threads timed out.
struct RasTimedOut {
  static constexpr std::string_view name = "ras_timed_out";
  std::string_view what;  ///< `keep-alive timeout error`, `collective`, …
  std::int64_t seconds = -1;
  std::string_view peer;
  int missing = -1;  ///< Number of responses that a RAS collective lacks; -1 for others.
  NCCL_ANALYZE_FIELDS(RasTimedOut, what, seconds, peer, missing)
};

/// The RAS thread of another process belongs to another version of NCCL.
struct RasVersionMismatched {
  static constexpr std::string_view name = "ras_version_mismatched";
  std::string_view peer, local, remote;
  NCCL_ANALYZE_FIELDS(RasVersionMismatched, peer, local, remote)
};

/// The RAS client reports that the ranks of a communicator have launched different numbers of an operation. The events
/// below give the numbers.
struct RasCountsDiffer {
  static constexpr std::string_view name = "ras_counts_differ";
  std::string_view operation;
  NCCL_ANALYZE_FIELDS(RasCountsDiffer, operation)
};

/// A group of ranks that have launched equally many operations of the last RasCountsDiffer.
struct RasRanksCounted {
  static constexpr std::string_view name = "ras_ranks_counted";
  std::int64_t ranks = -1, launched = 0;  ///< Number of ranks, and of operations that each launched.
  NCCL_ANALYZE_FIELDS(RasRanksCounted, ranks, launched)
};

/// A rank of the group of the last RasRanksCounted, or a rank that the report lists alone.
struct RasRankListed {
  static constexpr std::string_view name = "ras_rank_listed";
  int rank = -1;
  std::int64_t launched = -1;  ///< Operations that it launched; -1: as many as its group.
  std::string_view gpu, node;
  std::int64_t pid = -1;
  NCCL_ANALYZE_FIELDS(RasRankListed, rank, launched, gpu, node, pid)
};

}  // namespace nccl_analyze
