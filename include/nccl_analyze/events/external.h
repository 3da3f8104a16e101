#pragma once
/// What frameworks, launchers and kernels print.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// PyTorch's watchdog gave up on a collective: which one, as its rank counted it.
struct CollectiveTimedOut {
  static constexpr std::string_view name = "collective_timed_out";
  std::int64_t sequence = -1;
  std::string_view operation;  ///< ALLREDUCE
  std::string_view shape;      ///< Up to PyTorch 2.0.
  std::int64_t elements_in = -1, elements_out = -1;
  std::int64_t timeout = -1, ran = -1;  ///< milliseconds
  NCCL_ANALYZE_FIELDS(CollectiveTimedOut, sequence, operation, shape, elements_in, elements_out, timeout, ran)
};

/// How far a rank of PyTorch has come in the collectives of a process group, numbered from 1.
struct WatchdogReported {
  static constexpr std::string_view name = "watchdog_reported";
  std::int64_t work = -1;  ///< The one that failed.
  std::int64_t enqueued = -1, completed = -1;
  NCCL_ANALYZE_FIELDS(WatchdogReported, work, enqueued, completed)
};

/// The last line of a Python traceback.
struct ProgramRaised {
  static constexpr std::string_view name = "program_raised";
  std::string_view exception;  ///< `torch.OutOfMemoryError`
  std::string_view words;
  NCCL_ANALYZE_FIELDS(ProgramRaised, exception, words)
};

/// The kernel, or whoever started it, saw a process end.
struct ProcessEnded {
  static constexpr std::string_view name = "process_ended";
  std::string_view why;  ///< In the words of the one that saw it: `Killed process`, `Segmentation fault`.
  std::string_view program, host;
  std::int64_t pid = -1;
  int rank = -1;        ///< Of the launcher: a task of Slurm, a process of MPI.
  int local_rank = -1;  ///< Of torchrun.
  int code = 0;         ///< Exit code; negative, or `signal`: killed by a signal.
  int signal = 0;
  NCCL_ANALYZE_FIELDS(ProcessEnded, why, program, host, pid, rank, local_rank, code, signal)
};

/// The scheduler ended the job.
struct JobCancelled {
  static constexpr std::string_view name = "job_cancelled";
  std::string_view job, host;
  std::string_view why;  ///< `DUE TO TIME LIMIT`; empty when it does not say.
  NCCL_ANALYZE_FIELDS(JobCancelled, job, host, why)
};

/// The GPU driver's own error line.
struct GpuFaulted {
  static constexpr std::string_view name = "gpu_faulted";
  std::string_view bus_id;  ///< `0000:4b:00`
  int xid = -1;             ///< NVIDIA's number of the fault.
  std::string_view words;
  NCCL_ANALYZE_FIELDS(GpuFaulted, bus_id, xid, words)
};

/// A well-known phrase of a failure stands in a line that nothing else reads: by itself it proves little.
struct PhraseSeen {
  static constexpr std::string_view name = "phrase_seen";
  std::string_view phrase;  ///< As the line has it.
  std::string_view topic;   ///< Name of the rule that reports the phrase. Static text of the table.
  NCCL_ANALYZE_FIELDS(PhraseSeen, phrase, topic)
};

}  // namespace nccl_analyze
