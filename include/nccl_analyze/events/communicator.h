#pragma once
/// Events of a communicator's life cycle.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"
#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

/// The identity of a rank of a communicator. Since 2.23.4, a communicator created by a split has `parent`,
/// `split_count` and `color` instead of `comm_id`.
struct CommIdentity {
  std::string_view function;
  Hex comm;
  int rank = -1, nranks = -1, cuda_dev = -1, nvml_dev = -1;
  Hex bus_id;
  Hex comm_id;
  Hex parent;
  int split_count = -1, key = -1;
  std::int64_t color = -1;  ///< As printed; NCCL may print a negative int as unsigned.
  NCCL_ANALYZE_FIELDS(CommIdentity, function, comm, rank, nranks, cuda_dev, nvml_dev, bus_id, comm_id, parent,
                      split_count, color, key)
};

/// `… - Init START` (2.18.3+).
struct CommInitStarted : CommIdentity {
  static constexpr std::string_view name = "comm_init_started";
};

/// `… - Init COMPLETE`: proves that the bootstrap and the exchanges between all ranks succeeded.
struct CommInitCompleted : CommIdentity {
  static constexpr std::string_view name = "comm_init_completed";
};

/// The node and local rank that NCCL assigns to a rank (2.20.3+). A node is a set of GPUs that reach each other without
/// the network. Up to 2.3.7, the message has only the rank and the number of ranks, and is printed before the
/// bootstrap.
struct CommPlaced {
  static constexpr std::string_view name = "comm_placed";
  Hex comm;
  int rank = -1, nranks = -1, nnodes = -1, local_ranks = -1, local_rank = -1, mnnvl = -1;
  NCCL_ANALYZE_FIELDS(CommPlaced, comm, rank, nranks, nnodes, local_ranks, local_rank, mnnvl)
};

/// The fields of CommDestroyed and CommAborted.
struct CommEnd {
  Hex comm;
  int rank = -1, nranks = -1, cuda_dev = -1;
  Hex bus_id;
  NCCL_ANALYZE_FIELDS(CommEnd, comm, rank, nranks, cuda_dev, bus_id)
};

/// `… - Destroy COMPLETE`.
struct CommDestroyed : CommEnd {
  static constexpr std::string_view name = "comm_destroyed";
};

/// `… - Abort COMPLETE`.
struct CommAborted : CommEnd {
  static constexpr std::string_view name = "comm_aborted";
};

/// The durations of the phases of a rank's initialisation, in seconds; printed after Init COMPLETE.
struct InitTimed {
  static constexpr std::string_view name = "init_timed";
  std::string_view function;
  int rank = -1, nranks = -1;
  double total = 0, kernels = 0, alloc = 0, bootstrap = 0, allgathers = 0, topo = 0, graphs = 0, connections = 0,
         rest = 0;
  NCCL_ANALYZE_FIELDS(InitTimed, function, rank, nranks, total, kernels, alloc, bootstrap, allgathers, topo, graphs,
                      connections, rest)
};

}  // namespace nccl_analyze
