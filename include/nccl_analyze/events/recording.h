#pragma once
/// Events of tools that record the collectives of a process: PyTorch's flight recorder and the NCCL Inspector.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// A process group in a dump of PyTorch's flight recorder (torch/csrc/distributed/c10d/FlightRecorder.hpp, format 2.x):
/// how far one rank had come, its first collective that was not complete, and the sends and receives that were not.
struct FlightRecorded {
  static constexpr std::string_view name = "flight_recorded";
  std::string_view group;        ///< Unique name of the process group: `0`.
  std::string_view description;  ///< `default_pg`; empty if the program gave none.
  int global_rank = -1;          ///< The rank in the job; -1 if only the name of the file shows it.
  /// The ranks of the group, numbered as in the job: `0-7`, `0,8,16`. The rank in the group is the position in this
  /// list. A list that is too long is cut and begins with `#`. Empty if it is not known.
  std::string_view members;
  int nranks = -1;                             ///< The number of ranks of the group; -1: not known.
  std::int64_t enqueued = -1, completed = -1;  ///< Numbers of the last enqueued and the last completed collective.
  std::int64_t transfers = -1;                 ///< Number of the last send or receive, or group of them; -1: none.
  /// The ranks at the other ends of the receives and sends that were not complete, numbered as in the job: `3,5`. `?`
  /// stands for a rank whose number in the job is not known.
  std::string_view receives, sends;
  std::int64_t sequence = -1;  ///< Number of the collective that was not complete; -1: none.
  std::string_view operation;  ///< The name that the watchdog prints: `ALLREDUCE`.
  std::string_view state;      ///< `scheduled` or `started`.
  std::int64_t elements_in = -1, elements_out = -1;
  std::int64_t timeout = -1;  ///< Milliseconds.
  NCCL_ANALYZE_FIELDS(FlightRecorded, group, description, global_rank, members, nranks, enqueued, completed, transfers,
                      receives, sends, sequence, operation, state, elements_in, elements_out, timeout)
};

/// The collectives of one operation that one rank of a communicator completed, from the lines of the NCCL Inspector
/// (plugins/profiler/inspector, 2.28.3+).
struct CollectivesInspected {
  static constexpr std::string_view name = "collectives_inspected";
  Hex comm_id;                 ///< The `commId` of Init START.
  std::string_view comm_name;  ///< `default_pg:0`; empty if the program gave none.
  int rank = -1, nranks = -1;
  std::int64_t pid = -1;
  std::string_view host;
  std::string_view operation;   ///< `AllReduce`
  std::int64_t completed = -1;  ///< Number of completed collectives, each of which has a line.
  std::int64_t last = -1;       ///< The highest sequence number, which counts from 0 for each operation.
  double busbw = 0;             ///< The highest bus bandwidth, GB/s.
  NCCL_ANALYZE_FIELDS(CollectivesInspected, comm_id, comm_name, rank, nranks, pid, host, operation, completed, last,
                      busbw)
};

/// The shortest duration of the largest message that one rank of a communicator recorded for an operation. Only
/// operations that keep every rank until the end of the transfer are recorded: `AllReduce`, `AllGather`,
/// `ReduceScatter`. A duration includes the time in which the rank waited for others.
struct DurationRecorded {
  static constexpr std::string_view name = "duration_recorded";
  std::string_view tool;         ///< `inspector` or `flight recorder`.
  Hex comm_id;                   ///< The `commId` of Init START; 0 in a flight recorder.
  std::string_view group;        ///< Name of the communicator or of the process group; empty: none.
  std::string_view description;  ///< Description of the process group; empty: none.
  std::string_view operation;
  int rank = -1, nranks = -1;  ///< `rank`: in the communicator, of a flight recorder in the job; -1: not known.
  std::int64_t size = -1;      ///< Bytes, as nccl-tests counts them: of all ranks, except for AllReduce.
  double microseconds = 0;     ///< Of the kernel (Inspector) or between two CUDA events around it (PyTorch).
  NCCL_ANALYZE_FIELDS(DurationRecorded, tool, comm_id, group, description, operation, rank, nranks, size, microseconds)
};

}  // namespace nccl_analyze
