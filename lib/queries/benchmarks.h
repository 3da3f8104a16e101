#pragma once
/// Names runs of nccl-tests, orders their measurements by size, and formats sizes and bandwidths.

#include <cstdint>
#include <optional>
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

/// Returns the number of processes of the list that are each a rank 0, so that MPI has not joined them; 0 if there are
/// not at least two. A line that a store of logs delivered twice counts once.
std::size_t count_copies(const Benchmark& benchmark);

/// Returns the number with two decimals, or as many as asked for: `48.10`.
std::string decimals(double number, int digits = 2);
/// Returns the bandwidth with two decimals: `48.10 GB/s`.
std::string bandwidth_text(double gigabytes);

/// Measurements of fewer bytes are not judged: latency is a large part of their time.
inline constexpr std::int64_t smallest_judged = std::int64_t{64} << 20U;

/// The best measurement of one size, in place or out of place.
struct CurvePoint {
  std::int64_t size = -1;
  const Measurement* best = nullptr;  ///< Points into the benchmark.
};

/// The measurements of one data type and reduction operation, sorted by size.
using Curve = std::vector<CurvePoint>;
std::vector<Curve> curves_of(const Benchmark& benchmark);

/// The share of its best bandwidth that a curve has on its level.
inline constexpr double level_share = 0.9;
/// Returns the size from which on all measurements reach `level_share` of the best one. nullopt if the rows do not show
/// it: the curve rises up to its last size or falls again, it begins on its level, the next smaller size is less than a
/// quarter, or the run has several data types or operations.
std::optional<std::int64_t> level_from(const Benchmark& benchmark);

/// The largest size that was measured in place and out of place, with the bus bandwidth of both.
struct PlaceGap {
  std::int64_t size = -1;
  double in_place = 0, out_of_place = 0;  ///< GB/s
  std::size_t sizes = 0;                  ///< The number of sizes from `smallest_judged` on.
};
/// The least difference between the places, as a share of the faster one, that is not noise.
inline constexpr double much_slower = 0.3;
/// Returns the difference if at least three sizes from `smallest_judged` on were measured in both places, and the same
/// place is slower by `much_slower` at each of them; otherwise nullopt.
std::optional<PlaceGap> place_gap(const Benchmark& benchmark);

}  // namespace nccl_analyze
