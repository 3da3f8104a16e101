#pragma once
/// Events of faults that any subsystem may print: CUDA errors, failed allocations, the error trace.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// A CUDA call in NCCL failed, or reported an earlier asynchronous error.
struct CudaFailed {
  static constexpr std::string_view name = "cuda_failed";
  int code = -1;           ///< CUDA's error number; -1 when not printed.
  std::string_view error;  ///< CUDA's text for the error.
  NCCL_ANALYZE_FIELDS(CudaFailed, code, error)
};

/// An allocation of host or GPU memory failed.
struct AllocationFailed {
  static constexpr std::string_view name = "allocation_failed";
  std::string_view what;  ///< `CUDA malloc`, `CUDA host alloc`, `malloc`, …
  std::int64_t bytes = -1;
  NCCL_ANALYZE_FIELDS(AllocationFailed, what, bytes)
};

/// An NCCL kernel needs more shared memory than the GPU has, because this NCCL is older than the GPU.
struct KernelMemoryExceeded {
  static constexpr std::string_view name = "kernel_memory_exceeded";
  int compute_capability = -1;      ///< 100·major + 10·minor: 1200 is 12.0.
  int needed = -1, available = -1;  ///< Bytes.
  NCCL_ANALYZE_FIELDS(KernelMemoryExceeded, compute_capability, needed, available)
};

/// `file.cc:123 -> 3`: a line of the error trace. Each NCCL function through which an error propagates prints one. The
/// first WARN before the trace reports the cause.
struct ErrorPropagated {
  static constexpr std::string_view name = "error_propagated";
  std::string_view file;  ///< Empty since 2.30.7, which prints the file as the record's location (Origin::location).
  int line = -1;
  /// ncclResult_t: 1 CUDA, 2 system, 3 internal, 4 argument, 5 usage, 6 remote, 7 in progress, 8 timeout.
  int result = -1;
  std::string_view thread;  ///< `Async thread`, …; empty for the calling thread.
  NCCL_ANALYZE_FIELDS(ErrorPropagated, file, line, result, thread)
};

/// A local rank closed its connection to the proxy. This is normal when the communicator ends; earlier, it is a sign of
/// a dead process.
struct ServiceClosed {
  static constexpr std::string_view name = "service_closed";
  int local_rank = -1;
  NCCL_ANALYZE_FIELDS(ServiceClosed, local_rank)
};

/// An operation of the proxy thread failed.
struct ProxyFailed {
  static constexpr std::string_view name = "proxy_failed";
  std::string_view detail;  ///< The rest of the message.
  NCCL_ANALYZE_FIELDS(ProxyFailed, detail)
};

/// NCCL's guess at the cause of an error (2.30.7+). It proves nothing, because NCCL also prints hints that belong to
/// other errors: the cases of its switch statement fall through.
struct Hinted {
  static constexpr std::string_view name = "hinted";
  std::string_view detail;  ///< The hint.
  NCCL_ANALYZE_FIELDS(Hinted, detail)
};

}  // namespace nccl_analyze
