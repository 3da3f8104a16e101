#pragma once
/// Bandwidth as nccl-tests measured it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// A rank of a benchmark and its GPU.
struct BenchmarkRank {
  int rank = -1, device = -1;  ///< `device`: CUDA ordinal in the process.
  std::int64_t pid = -1;
  Text host;    ///< The name that the benchmark prints; NCCL prints it only up to the first dot.
  Text bus_id;  ///< `0000:19:00`; `0x19` up to nccl-tests 2.15.
  Text gpu;     ///< Product name.
  /// Ranks of one group are one communicator. All have the same group without `NCCL_TESTS_SPLIT` and
  /// `NCCL_TESTS_SPLIT_MASK`. -1: not printed, up to nccl-tests 2.12, which have no groups.
  int group = -1;
  Index process = -1;  ///< The process with this host and pid, in Model::processes; -1: none, or several.
};

/// The bandwidth measured for one message size, in place or out of place.
struct Measurement {
  LineRef at;
  std::int64_t size = -1;  ///< Bytes.
  Text type, redop;        ///< `float`, `sum`; `redop` is `none` for operations without a reduction.
  bool in_place = false;
  double microseconds = 0;
  double algbw = 0, busbw = 0;  ///< GB/s (10^9 bytes), as doc/PERFORMANCE.md of nccl-tests defines them.
  std::int64_t wrong = -1;      ///< Number of wrong elements; -1: not checked.
  double p99_microseconds = 0;  ///< 99th percentile of single iterations; 0: not measured.
  double variation = 0;         ///< Standard deviation of single iterations, in percent of their mean.
};

/// One run of a program of nccl-tests.
struct Benchmark {
  LineRef at;                        ///< The first line of the run.
  std::string operation;             ///< `all_reduce_perf`; `unknown` up to nccl-tests 2.16, which does not print it.
  std::vector<BenchmarkRank> ranks;  ///< Sorted by rank.
  LineRef table_at;                  ///< The head of the table; line 0 if the input does not have it.
  std::vector<Measurement> measurements;  ///< In the order of the output.
  bool ended = false;                     ///< Whether the output is complete.
  LineRef ended_at;                       ///< The line with the average bandwidth.
  std::int64_t out_of_bounds = -1;        ///< Number of wrong values in all measurements; -1: not known.
  /// Number of different results, each with an average bandwidth, that the run printed; more than one if copies of the
  /// program ran at once.
  int results = 0;
  double average_busbw = 0;  ///< GB/s; 0: not known.
  Index communicator = -1;   ///< The communicator that was measured; -1: not known, or several.

  /// Returns the measurement with the highest bus bandwidth, the first one in case of a tie; null without measurements.
  const Measurement* peak() const;
  /// Returns the number of groups of ranks that were measured at the same time; 1 without groups.
  std::size_t groups() const;
};

}  // namespace nccl_analyze
