#pragma once
/// Computes the bus bandwidth that the paths of a communicator can carry. All figures that the log does not print are
/// in the tables of bandwidth_limits.cc, each with its source.

#include <string>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// An upper bound of the bus bandwidth of collectives that NCCL runs over rings and trees (AllReduce, AllGather,
/// ReduceScatter, Broadcast, Reduce). A ring enters and leaves each node once. The bound is therefore the smallest of
/// three bandwidths: of NVLink inside a node, of the NICs of a node, and of the PCIe links of its GPUs.
struct BandwidthLimit {
  double gigabytes = 0;  ///< In GB/s; 0: unknown.
  std::string way;       ///< The path with the smallest bandwidth: `4 NICs of each node (NET/IB)`.
  std::string unknown;   ///< Why the bound is unknown, as a clause; empty if it is known.
};

/// Returns the bound for the communicator of a run of nccl-tests. Unknown unless all ranks are in the input, the paths
/// of all of them are known, and each figure is printed or in a table.
BandwidthLimit bandwidth_limit(const Model& model, const Benchmark& benchmark);

}  // namespace nccl_analyze
