#pragma once
/// Names runs of nccl-tests, orders their measurements by size, and formats sizes and bandwidths.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Returns the name of the program, `all_reduce_perf`; `nccl-tests` up to nccl-tests 2.16, which does not print it.
std::string_view name_of(const Benchmark& benchmark);

/// Returns the size with at most four significant digits: `8 B`, `1.5 KiB`, `1 GiB`.
std::string size_text(std::int64_t bytes);

/// Returns the number of distinct hosts of the benchmark's ranks.
std::size_t count_hosts(const Benchmark& benchmark);

/// Returns the number with two decimals, or as many as asked for: `48.10`.
std::string decimals(double number, int digits = 2);
/// Returns the bandwidth with two decimals: `48.10 GB/s`.
std::string bandwidth_text(double gigabytes);

/// The best measurement of one size, in place or out of place.
struct CurvePoint {
  std::int64_t size = -1;
  const Measurement* best = nullptr;  ///< Points into the benchmark.
};

/// The measurements of one data type and reduction operation, sorted by size.
using Curve = std::vector<CurvePoint>;
std::vector<Curve> curves_of(const Benchmark& benchmark);

}  // namespace nccl_analyze
