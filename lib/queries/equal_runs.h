#pragma once
/// Compares runs of nccl-tests that differ only in their hosts, as tests of one pair of hosts after the other are.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// The best run on a set of hosts.
struct HostRun {
  std::vector<std::string_view> hosts;  ///< Sorted; they point into the benchmark.
  const Benchmark* benchmark = nullptr;
  const Measurement* best = nullptr;  ///< The better one of the largest size, in place or out of place.
};

/// Returns `node-c`, `node-c with node-d`, `3 hosts with node-c`.
std::string place_text(const HostRun& run);

/// Runs of one program with equal numbers of ranks and hosts, devices, GPU products and sizes, on at least four sets of
/// hosts. Slowest first.
using EqualRuns = std::vector<HostRun>;

/// Returns the groups of equal runs, by their first run. Leaves out runs that do not name their program, are not
/// complete, have more than eight hosts or measure less than `smallest_judged`, or that have several groups of ranks,
/// data types or rows of one size: lines of runs that print at the same time cannot be told apart.
std::vector<EqualRuns> equal_runs(const Model& model);

/// Returns the median of the bus bandwidths in GB/s. The runs must not be empty.
double median_of(const EqualRuns& runs);

/// Runs with at most this share of the usual bandwidth are slow.
inline constexpr double slow_share = 0.7;
/// Slow runs among equal ones.
struct SlowRuns {
  std::vector<std::string_view> hosts;  ///< All runs with one of these hosts are slow; empty: no host can be named.
  EqualRuns runs;                       ///< Not empty; slowest first.
  double usual = 0;                     ///< The median of the runs to which they are compared, GB/s.
  std::size_t others = 0;               ///< The number of these runs.
};
/// Returns up to two groups: the runs with slow hosts, then the other runs that are slow beside the median of all
/// others. A host is slow if it has several runs, all of them are slow beside the runs without it, and one of them is
/// with hosts that are fast in other runs.
std::vector<SlowRuns> slow_runs(const EqualRuns& equal);

}  // namespace nccl_analyze
