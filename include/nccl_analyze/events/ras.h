#pragma once
/// What NCCL's RAS subsystem and its client print (2.24.3+).

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

struct RasPeerDead {
  static constexpr std::string_view name = "ras_peer_dead";
  std::string_view peer;
  NCCL_ANALYZE_FIELDS(RasPeerDead, peer)
};

struct RasTimedOut {
  static constexpr std::string_view name = "ras_timed_out";
  std::string_view what;
  std::int64_t seconds = -1;
  std::string_view peer;
  int missing = -1;  ///< Responses that a collective gave up on
  NCCL_ANALYZE_FIELDS(RasTimedOut, what, seconds, peer, missing)
};

/// Another version in the network of RAS threads.
struct RasVersionMismatched {
  static constexpr std::string_view name = "ras_version_mismatched";
  std::string_view peer, local, remote;
  NCCL_ANALYZE_FIELDS(RasVersionMismatched, peer, local, remote)
};

/// NCCL's RAS client (2.24.3+): the ranks of a communicator have launched different numbers of an operation.
struct RasCountsDiffer {
  static constexpr std::string_view name = "ras_counts_differ";
  std::string_view operation;
  NCCL_ANALYZE_FIELDS(RasCountsDiffer, operation)
};

/// So many ranks have launched so many of it.
struct RasRanksCounted {
  static constexpr std::string_view name = "ras_ranks_counted";
  std::int64_t ranks = -1, launched = 0;
  NCCL_ANALYZE_FIELDS(RasRanksCounted, ranks, launched)
};

/// One of the ranks in question. `launched` -1: as many as the group that was named before it.
struct RasRankListed {
  static constexpr std::string_view name = "ras_rank_listed";
  int rank = -1;
  std::int64_t launched = -1;
  std::string_view gpu, node;
  std::int64_t pid = -1;
  NCCL_ANALYZE_FIELDS(RasRankListed, rank, launched, gpu, node, pid)
};

}  // namespace nccl_analyze
