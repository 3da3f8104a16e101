#pragma once
/// Events of NCCL's topology detection and graph search (subsystem GRAPH).

#include <string_view>

#include "nccl_analyze/events/field.h"
#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

/// The first line of a topology dump.
struct SystemPrinted {
  static constexpr std::string_view name = "system_printed";
  double max_bw = 0, total_bw = 0;  ///< In GB/s: the bandwidth of a GPU's best path, and of all its links together.
  NCCL_ANALYZE_FIELDS(SystemPrinted, max_bw, total_bw)
};

/// A line of the topology dump: a node and the link to its parent. The column of the `+` shows the depth of the node.
struct TopologyNodePrinted {
  static constexpr std::string_view name = "topology_node_printed";
  std::string_view indent;
  std::string_view link;  ///< NVL, C2C, PCI, SYS, NET, …; empty for a root.
  double bandwidth = 0;   ///< GB/s
  std::string_view type;  ///< GPU, PCI, NVS, CPU, NIC, NET, …
  Hex system;             ///< Index of the host, if NVLink spans hosts (2.21.5+).
  Hex id;                 ///< Bus id of a GPU or PCI switch, else a number.
  PartList detail;        ///< The numbers in parentheses.
  NCCL_ANALYZE_FIELDS(TopologyNodePrinted, indent, link, bandwidth, type, system, id, detail)
};

/// `GPU/0-1b000 :GPU/0-1c000 (2/160.0/NVL) …`: the paths from a node to all others, each with hops, GB/s and type.
struct PathsPrinted {
  static constexpr std::string_view name = "paths_printed";
  std::string_view type;
  Hex system;
  Hex id;
  PathList paths;
  NCCL_ANALYZE_FIELDS(PathsPrinted, type, system, id, paths)
};

/// The result of a graph search.
struct GraphSearched {
  static constexpr std::string_view name = "graph_searched";
  int pattern = -1;  ///< 1 balanced tree, 2 split tree, 3 tree, 4 ring, 5 NVLS, 6 CollNet direct.
  int cross_nic = -1, nchannels = -1;
  double bw_intra = 0, bw_inter = 0;        ///< GB/s of a channel, within a node and between nodes.
  std::string_view type_intra, type_inter;  ///< The worst path types within a node and between nodes: NVL, PIX, …
  int same_channels = -1;
  NCCL_ANALYZE_FIELDS(GraphSearched, pattern, cross_nic, nchannels, bw_intra, bw_inter, type_intra, type_inter,
                      same_channels)
};

/// ` 0 : NET/0-0 GPU/0 GPU/1 NET/0-0`: a channel of the last GraphSearched.
struct GraphChannelPrinted {
  static constexpr std::string_view name = "graph_channel_printed";
  int channel = -1;
  NodeList path;
  NCCL_ANALYZE_FIELDS(GraphChannelPrinted, channel, path)
};

/// The CPUs to which NCCL binds a rank's threads, as ranges (`0-23,48-71`) or, up to 2.26.6, as a mask.
struct AffinityChosen {
  static constexpr std::string_view name = "affinity_chosen";
  int gpu = -1;                   ///< NVML index.
  std::string_view cpus;          ///< `empty, ignoring` if gpu_cpus and process_cpus are disjoint.
  std::string_view gpu_cpus;      ///< The CPUs near the GPU (2.28.3+).
  std::string_view process_cpus;  ///< The CPUs to which the launcher bound the process (2.28.3+).
  NCCL_ANALYZE_FIELDS(AffinityChosen, gpu, cpus, gpu_cpus, process_cpus)
};

/// Two ranks of a communicator use the same GPU.
struct DuplicateGpuDetected {
  static constexpr std::string_view name = "duplicate_gpu_detected";
  int rank = -1, other_rank = -1;
  Hex bus_id;
  NCCL_ANALYZE_FIELDS(DuplicateGpuDetected, rank, other_rank, bus_id)
};

/// NCCL cannot open the topology or graph file that a setting names.
struct TopologyFileFailed {
  static constexpr std::string_view name = "topology_file_failed";
  std::string_view path;
  std::string_view error;
  NCCL_ANALYZE_FIELDS(TopologyFileFailed, path, error)
};

}  // namespace nccl_analyze
