#pragma once
/// Faults that are of no subsystem alone: CUDA, memory, the trail behind an error.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

struct CudaFailed {
  static constexpr std::string_view name = "cuda_failed";
  int code = -1;  ///< driver API only
  std::string_view error;
  NCCL_ANALYZE_FIELDS(CudaFailed, code, error)
};

struct AllocationFailed {
  static constexpr std::string_view name = "allocation_failed";
  std::string_view what;
  std::int64_t bytes = -1;
  NCCL_ANALYZE_FIELDS(AllocationFailed, what, bytes)
};

/// A kernel of this NCCL wants more shared memory than the GPU has: it was built before there was such a GPU.
struct KernelMemoryExceeded {
  static constexpr std::string_view name = "kernel_memory_exceeded";
  int compute_capability = -1;      ///< 100·major + 10·minor: 1200 is 12.0
  int needed = -1, available = -1;  ///< bytes
  NCCL_ANALYZE_FIELDS(KernelMemoryExceeded, compute_capability, needed, available)
};

/// `file.cc:123 -> 3`: the trail behind a failure; the first WARN before it is the cause.
struct ErrorPropagated {
  static constexpr std::string_view name = "error_propagated";
  std::string_view file;
  int line = -1;
  int result = -1;  ///< 1 CUDA, 2 system, 3 internal, 4 argument, 5 usage, 6 remote, 7 in progress, 8 timeout
  std::string_view thread;
  NCCL_ANALYZE_FIELDS(ErrorPropagated, file, line, result, thread)
};

/// A local rank's process closed its proxy connection: normal at the end of life, a death before it.
struct ServiceClosed {
  static constexpr std::string_view name = "service_closed";
  int local_rank = -1;
  NCCL_ANALYZE_FIELDS(ServiceClosed, local_rank)
};

struct ProxyFailed {
  static constexpr std::string_view name = "proxy_failed";
  std::string_view detail;
  NCCL_ANALYZE_FIELDS(ProxyFailed, detail)
};

/// NCCL's own guess behind an error (2.30.7+). Cases fall through: a hint does not prove its case.
struct Hinted {
  static constexpr std::string_view name = "hinted";
  std::string_view detail;
  NCCL_ANALYZE_FIELDS(Hinted, detail)
};

}  // namespace nccl_analyze
