#pragma once
/// Compares the bandwidth that nccl-tests measured with what the paths of its communicator can carry. Figures that the
/// log does not print are in the tables of bandwidth_figures.cc, the formulas in bandwidth_ceilings.cc.

#include <optional>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "queries/bandwidth_ceilings.h"
#include "queries/bandwidth_figures.h"
#include "queries/benchmarks.h"

namespace nccl_analyze {

/// The links that a run of nccl-tests had.
struct JobRoads {
  Roads roads;
  std::string unknown;  ///< Why they are not known, as a clause; empty if they are.
  std::string add;      ///< What would show them; empty if nothing in the log could.
  /// Why the ceilings, which hold, may be far above what the links carry; empty if they are not.
  std::string unproven;
  std::string inexact;  ///< Why the ceilings may be too low; empty if they are not.
};
JobRoads find_roads(const Model& model, const Benchmark& benchmark);

/// The links of a job on `hosts` machines of one type.
Roads roads_of(const MachineFigures& machine, int hosts);

/// Returns the number of ranks: of the list, else of the communicator; 0: not known.
std::size_t count_ranks(const Model& model, const Benchmark& benchmark);

/// Returns the collective that the program measured with so many ranks; nullopt if it is another one, or is not known.
/// Releases of nccl-tests up to 2.16 do not print the name: with more than two ranks, AllReduce alone has its ratio of
/// bus to algorithm bandwidth.
std::optional<Collective> collective_of(const Benchmark& benchmark, std::size_t ranks);

/// The measurement of the largest size, and what the links can carry.
struct Reach {
  const Measurement* measured = nullptr;  ///< The better one in place or out of place; null: none of 64 MiB or more.
  std::optional<Ceiling> ceiling;         ///< The lowest that the measurement does not exceed.
  std::vector<Ceiling> higher;            ///< Those of other algorithms.
  std::string unknown, add;               ///< As in JobRoads, if there is no ceiling.
};
Reach find_reach(const Model& model, const Benchmark& benchmark);

/// An upper bound of the bus bandwidth of collectives that NCCL runs over rings.
struct BandwidthLimit {
  double gigabytes = 0;  ///< In GB/s; 0: unknown.
  std::string way;       ///< The path with the smallest bandwidth: `4 NICs of 400 Gb/s a node (NET/IB)`.
  std::string unknown;   ///< Why the bound is unknown, as a clause; empty if it is known.
};

/// Returns the bound for the communicator of a run of nccl-tests. Unknown unless all ranks are in the input, the paths
/// of all of them are known and proven, and each figure is printed or in a table.
BandwidthLimit bandwidth_limit(const Model& model, const Benchmark& benchmark);

}  // namespace nccl_analyze
