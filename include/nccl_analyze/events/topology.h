#pragma once
/// The machine as NCCL found it (GRAPH subsystem).

#include <string_view>

#include "nccl_analyze/events/field.h"
#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

struct SystemPrinted {
  static constexpr std::string_view name = "system_printed";
  double max_bw = 0, total_bw = 0;  ///< GB/s
  NCCL_ANALYZE_FIELDS(SystemPrinted, max_bw, total_bw)
};

/// A line of the topology dump: a node and the link to its parent. Depth is the column of `+`.
struct TopologyNodePrinted {
  static constexpr std::string_view name = "topology_node_printed";
  std::string_view indent;
  std::string_view link;  ///< NVL, C2C, PCI, SYS, NET, …; empty for a root
  double bandwidth = 0;   ///< GB/s
  std::string_view type;  ///< GPU, PCI, NVS, CPU, NIC, NET, …
  Hex system;             ///< Node index where NVLink spans hosts (2.21.5+)
  Hex id;                 ///< Bus id of a GPU or PCI switch, else a number
  PartList detail;
  NCCL_ANALYZE_FIELDS(TopologyNodePrinted, indent, link, bandwidth, type, system, id, detail)
};

/// `GPU/0-1b000 :GPU/0-1c000 (2/160.0/NVL) …`: hops, GB/s and worst link to every other node.
struct PathsPrinted {
  static constexpr std::string_view name = "paths_printed";
  std::string_view type;
  Hex system;
  Hex id;
  PathList paths;
  NCCL_ANALYZE_FIELDS(PathsPrinted, type, system, id, paths)
};

/// Result of a graph search. Pattern 1 balanced tree, 2 split tree, 3 tree, 4 ring, 5 NVLS, 6 CollNet direct.
struct GraphSearched {
  static constexpr std::string_view name = "graph_searched";
  int pattern = -1, cross_nic = -1, nchannels = -1;
  double bw_intra = 0, bw_inter = 0;  ///< GB/s a channel
  std::string_view type_intra, type_inter;
  int same_channels = -1;
  NCCL_ANALYZE_FIELDS(GraphSearched, pattern, cross_nic, nchannels, bw_intra, bw_inter, type_intra, type_inter,
                      same_channels)
};

/// ` 0 : NET/0-0 GPU/0 GPU/1 NET/0-0`: a channel of the search result before it.
struct GraphChannelPrinted {
  static constexpr std::string_view name = "graph_channel_printed";
  int channel = -1;
  NodeList path;
  NCCL_ANALYZE_FIELDS(GraphChannelPrinted, channel, path)
};

/// The CPUs that NCCL binds a rank's threads to, as ranges (`0-23,48-71`) or, up to 2.26.6, as a mask. 2.28.3+ also
/// says what the GPU is near to and what the launcher allowed; `empty, ignoring`: these do not meet.
struct AffinityChosen {
  static constexpr std::string_view name = "affinity_chosen";
  int gpu = -1;  ///< nvml index
  std::string_view cpus;
  std::string_view gpu_cpus, process_cpus;
  NCCL_ANALYZE_FIELDS(AffinityChosen, gpu, cpus, gpu_cpus, process_cpus)
};

struct DuplicateGpuDetected {
  static constexpr std::string_view name = "duplicate_gpu_detected";
  int rank = -1, other_rank = -1;
  Hex bus_id;
  NCCL_ANALYZE_FIELDS(DuplicateGpuDetected, rank, other_rank, bus_id)
};

struct TopologyFileFailed {
  static constexpr std::string_view name = "topology_file_failed";
  std::string_view path;
  std::string_view error;
  NCCL_ANALYZE_FIELDS(TopologyFileFailed, path, error)
};

}  // namespace nccl_analyze
