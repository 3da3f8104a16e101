#pragma once
/// Events of the output of nccl-tests (github.com/NVIDIA/nccl-tests), read from its table or from its JSON (`-J`).

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// A run of a program of nccl-tests began. The events below belong to the last run that began in their source.
struct BenchmarkStarted {
  static constexpr std::string_view name = "benchmark_started";
  std::string_view operation;  ///< Program, `all_reduce_perf`; empty up to nccl-tests 2.16, which does not print it.
  NCCL_ANALYZE_FIELDS(BenchmarkStarted, operation)
};

/// A rank of the run and its GPU.
struct BenchmarkRankListed {
  static constexpr std::string_view name = "benchmark_rank_listed";
  int rank = -1, device = -1;  ///< `device`: CUDA ordinal in the process.
  std::int64_t pid = -1;
  std::string_view host;
  std::string_view bus_id;  ///< `0000:19:00`; `0x19` up to nccl-tests 2.15.
  std::string_view gpu;     ///< Product name.
  int group = -1;           ///< See BenchmarkRank::group.
  NCCL_ANALYZE_FIELDS(BenchmarkRankListed, rank, device, pid, host, bus_id, gpu, group)
};

/// The head of the table with the names of its columns, which precedes the first measurement.
struct BenchmarkTableBegun {
  static constexpr std::string_view name = "benchmark_table_begun";
  NCCL_ANALYZE_FIELDS(BenchmarkTableBegun)
};

/// The measurement of one message size, in place or out of place.
struct BenchmarkMeasured {
  static constexpr std::string_view name = "benchmark_measured";
  std::int64_t size = -1, count = -1;  ///< The size in bytes and in elements.
  std::string_view type, redop;        ///< `float`, `sum`; `none` or empty for operations without a reduction.
  std::string_view place;              ///< `in-place` or `out-of-place`.
  double time = 0;                     ///< Microseconds.
  double algbw = 0, busbw = 0;         ///< GB/s (10^9 bytes), as doc/PERFORMANCE.md of nccl-tests defines them.
  std::int64_t wrong = -1;             ///< Wrong elements; -1: not checked.
  /// The 99th percentile of the times of single iterations in microseconds, and their standard deviation in percent of
  /// the mean. 0: not measured.
  double p99 = 0, cv = 0;
  NCCL_ANALYZE_FIELDS(BenchmarkMeasured, size, count, type, redop, place, time, algbw, busbw, wrong, p99, cv)
};

/// The last lines of a run, with its totals.
struct BenchmarkEnded {
  static constexpr std::string_view name = "benchmark_ended";
  std::int64_t out_of_bounds = -1;  ///< Number of wrong values in all measurements; -1: not printed.
  double busbw = 0;                 ///< Average bus bandwidth of all measurements, GB/s; 0: not printed.
  NCCL_ANALYZE_FIELDS(BenchmarkEnded, out_of_bounds, busbw)
};

}  // namespace nccl_analyze
