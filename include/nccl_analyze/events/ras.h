#pragma once
/// Events of NCCL's RAS threads, which watch the processes of a job, and of the RAS client (2.24.3+), whose report is
/// text or, since 2.28.7, JSON.

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

/// The RAS threads of two processes found that the processes have different versions of NCCL.
struct RasVersionMismatched {
  static constexpr std::string_view name = "ras_version_mismatched";
  std::string_view peer, local, remote;
  NCCL_ANALYZE_FIELDS(RasVersionMismatched, peer, local, remote)
};

/// A fault that a check of NCCL's diagnostics found (level DIAG: src/ras/diagnostics_*.cc, src/diagnostics/, 2.31+).
/// Results without a fault are Noted events.
struct DiagnosticReported {
  static constexpr std::string_view name = "diagnostic_reported";
  std::string_view check;  ///< `ECC`, `NVLink`, `GPU inventory`, `CUDA driver version`, `NCCL environment`, …
  std::string_view fault;  ///< NCCL's words for the fault: `inactive link(s)`
  /// The ranks with the fault: `{3,5}`; if there are more than eight, the first eight and the number of all of them:
  /// `{0,1,2,3,4,5,6,7,...} (N=12)`. Empty: not printed.
  std::string_view ranks;
  std::string_view detail;   ///< The variable, its value, the number of errors, or the value on the other ranks.
  int rank = -1, peer = -1;  ///< The two ends of a failed pair of GPUs; `rank` alone: the slow rank.
  std::string_view host;
  Hex comm_id;  ///< The `commId` of Init START.
  NCCL_ANALYZE_FIELDS(DiagnosticReported, check, fault, ranks, detail, rank, peer, host, comm_id)
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
  std::int64_t launched = -1;  ///< Operations that the rank launched; -1: see the last RasRanksCounted.
  bool idle = false;           ///< Whether the rank has not launched the operation at all.
  std::string_view gpu, node;  ///< Empty if the client has no information on the process.
  std::int64_t pid = -1;
  NCCL_ANALYZE_FIELDS(RasRankListed, rank, launched, idle, gpu, node, pid)
};

/// The size of the job, from the summary at the beginning of the RAS client's text.
struct RasJobCounted {
  static constexpr std::string_view name = "ras_job_counted";
  int nodes = -1, processes = -1, gpus = -1;
  NCCL_ANALYZE_FIELDS(RasJobCounted, nodes, processes, gpus)
};

/// The communicator that the next lines of the RAS client's text are about.
struct RasCommunicatorNamed {
  static constexpr std::string_view name = "ras_communicator_named";
  Hex comm_id;              ///< The `commId` of Init START.
  std::string_view status;  ///< `MISMATCH`, `INCOMPLETE` or `ERROR`.
  NCCL_ANALYZE_FIELDS(RasCommunicatorNamed, comm_id, status)
};

/// A report of the RAS client as JSON (src/ras/client_support.cc, 2.28.7+). The communicators below belong to the last
/// report of their source, and the ranks to the last communicator.
struct RasReported {
  static constexpr std::string_view name = "ras_reported";
  std::string_view version;  ///< NCCL's version, `2.28.9+cuda13.0`.
  std::string_view time;     ///< By the clock of the process that was asked: `2026-01-31 10:00:00`.
  NCCL_ANALYZE_FIELDS(RasReported, version, time)
};

/// A communicator of the report.
struct RasCommunicatorReported {
  static constexpr std::string_view name = "ras_communicator_reported";
  Hex comm_id;      ///< The `commId` of Init START.
  int nranks = -1;  ///< The size of the communicator.
  /// Number of ranks that answered, and of ranks that did not answer or no longer have the communicator.
  int reported = -1, missing = -1;
  NCCL_ANALYZE_FIELDS(RasCommunicatorReported, comm_id, nranks, reported, missing)
};

/// A group of ranks of the communicator that have launched an operation equally often.
struct RasRanksLaunched {
  static constexpr std::string_view name = "ras_ranks_launched";
  std::string_view operation;  ///< `AllReduce`
  std::int64_t ranks = -1, launched = -1;
  NCCL_ANALYZE_FIELDS(RasRanksLaunched, operation, ranks, launched)
};

/// A rank outside the largest RasRanksLaunched group of the operation.
struct RasRankLaunched {
  static constexpr std::string_view name = "ras_rank_launched";
  int rank = -1, device = -1;  ///< `device`: CUDA ordinal in the process.
  std::int64_t pid = -1;
  std::string_view
      host;  ///< Address of the RAS thread without its port; `unknown` or empty if the client does not have it.
  std::string_view operation;
  std::int64_t launched = -1;
  NCCL_ANALYZE_FIELDS(RasRankLaunched, rank, device, pid, host, operation, launched)
};

/// A rank whose process does not answer the RAS threads.
struct RasRankLost {
  static constexpr std::string_view name = "ras_rank_lost";
  int rank = -1, device = -1;
  std::int64_t pid = -1;
  std::string_view host;
  /// `dead`: the RAS threads gave up on the process; `unresponsive`: they have not given up yet.
  std::string_view state;
  NCCL_ANALYZE_FIELDS(RasRankLost, rank, device, pid, host, state)
};

/// A rank whose communicator has an asynchronous error.
struct RasRankFailed {
  static constexpr std::string_view name = "ras_rank_failed";
  Hex comm_id;
  int rank = -1, device = -1;
  std::int64_t pid = -1;
  std::string_view host;
  int error = -1;          ///< The ncclResult_t.
  std::string_view words;  ///< The result of ncclGetErrorString() for `error`.
  NCCL_ANALYZE_FIELDS(RasRankFailed, comm_id, rank, device, pid, host, error, words)
};

}  // namespace nccl_analyze
