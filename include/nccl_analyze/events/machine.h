#pragma once
/// Events of documents that describe a machine: `nvidia-smi topo -m`, the topology and graph files that NCCL writes
/// (NCCL_TOPO_DUMP_FILE, NCCL_GRAPH_DUMP_FILE), `lspci -vvv`, the tools of RDMA devices (ibstat, ibv_devinfo, show_gids
/// and others), and commands of the shell. A value that the document does not show has the default of its member: an
/// empty text, -1 or 0.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"
#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

/// A document began. The events below belong to the last document that began in their source.
struct MachineDescribed {
  static constexpr std::string_view name = "machine_described";
  std::string_view tool;  ///< See MachineTool.
  std::string_view host;  ///< The host in the shell's prompt before the command; empty without a prompt.
  NCCL_ANALYZE_FIELDS(MachineDescribed, tool, host)
};

/// The document is complete.
struct MachineEnded {
  static constexpr std::string_view name = "machine_ended";
  std::string_view tool;
  NCCL_ANALYZE_FIELDS(MachineEnded, tool)
};

/// A NUMA node of a topology file.
struct MachineCpuListed {
  static constexpr std::string_view name = "machine_cpu_listed";
  int numa = -1;
  Hex host_hash;         ///< Equal for all NUMA nodes of a host; 0 before NCCL 2.21.
  std::string_view cpu;  ///< `x86_64 GenuineIntel`
  NCCL_ANALYZE_FIELDS(MachineCpuListed, numa, host_hash, cpu)
};

/// A GPU of a topology file.
struct MachineGpuListed {
  static constexpr std::string_view name = "machine_gpu_listed";
  int index = -1;  ///< NVML index.
  Hex bus_id;
  int rank = -1, numa = -1;
  int width = -1;             ///< PCIe lanes.
  double speed = 0;           ///< GT/s of a lane.
  std::string_view switches;  ///< Bus ids of the PCIe bridges from the CPU down to the GPU, separated by `/`.
  NCCL_ANALYZE_FIELDS(MachineGpuListed, index, bus_id, rank, numa, width, speed, switches)
};

/// A NIC of a topology file, or a line of the NIC legend of `nvidia-smi topo -m`.
struct MachineNicListed {
  static constexpr std::string_view name = "machine_nic_listed";
  std::string_view label;   ///< `NIC0`, as the matrix of paths names it.
  std::string_view device;  ///< `mlx5_0`
  int port = -1;
  Hex bus_id, guid;
  int rate = -1;  ///< Mbit/s
  int numa = -1;
  int width = -1;    ///< PCIe lanes.
  double speed = 0;  ///< GT/s of a lane.
  std::string_view switches;
  NCCL_ANALYZE_FIELDS(MachineNicListed, label, device, port, bus_id, guid, rate, numa, width, speed, switches)
};

/// A row of the matrix of `nvidia-smi topo -m`.
struct MachinePathsListed {
  static constexpr std::string_view name = "machine_paths_listed";
  int gpu = -1;            ///< NVML index.
  int numa = -1;           ///< NUMA node
  std::string_view paths;  ///< `GPU1=NV18 NIC0=PXB`
  NCCL_ANALYZE_FIELDS(MachinePathsListed, gpu, numa, paths)
};

/// NVLinks of a GPU in a topology file.
struct MachineNvlinkListed {
  static constexpr std::string_view name = "machine_nvlink_listed";
  Hex from;             ///< Bus id of the GPU.
  std::string_view to;  ///< `0x1b000` (a GPU), `switch`, `cpu` (POWER), or `c2c` for chip-to-chip links (Grace).
  int links = 0;
  NCCL_ANALYZE_FIELDS(MachineNvlinkListed, from, to, links)
};

/// The PCIe link of a GPU or NIC, as `lspci -vvv` prints it.
struct MachineLinkListed {
  static constexpr std::string_view name = "machine_link_listed";
  std::string_view kind;  ///< `GPU` or `NIC`
  Hex bus_id;
  int width = -1, max_width = -1;   ///< Lanes in use, and the maximum that the device supports.
  double speed = 0, max_speed = 0;  ///< GT/s of a lane.
  std::string_view device;          ///< The name of the device, which lspci prints after the class.
  NCCL_ANALYZE_FIELDS(MachineLinkListed, kind, bus_id, width, max_width, speed, max_speed, device)
};

/// A PCIe bridge that validates the source of requests or redirects them (`lspci -vvv`: `ACSCtl: SrcValid+`).
struct MachineAcsListed {
  static constexpr std::string_view name = "machine_acs_listed";
  Hex bus_id;
  Hex first_bus, last_bus;  ///< The range of buses below the bridge, with their domain: 0x19 is bus 0x19 of domain 0.
  std::string_view acs;     ///< `SrcValid+ TransBlk- ReqRedir+`
  NCCL_ANALYZE_FIELDS(MachineAcsListed, bus_id, first_bus, last_bus, acs)
};

/// A port of an InfiniBand or RoCE device, by ibstat, ibstatus, ibv_devinfo, rdma or ibdev2netdev. States are in the
/// words of ibstat.
struct MachinePortListed {
  static constexpr std::string_view name = "machine_port_listed";
  std::string_view device;  ///< `mlx5_0`
  int port = -1;
  std::string_view state;      ///< `Active`, `Down`, `Initializing`, `Armed`; ibdev2netdev prints `Up` or `Down`.
  std::string_view physical;   ///< `LinkUp`, `Disabled`, `Polling`
  double rate = 0;             ///< Gbit/s
  std::string_view link;       ///< `InfiniBand` or `Ethernet`
  std::string_view interface;  ///< `ib0`, by ibdev2netdev.
  Hex guid;                    ///< The system image GUID of the device, which NCCL prints for its NICs.
  NCCL_ANALYZE_FIELDS(MachinePortListed, device, port, state, physical, rate, link, interface, guid)
};

/// An entry of the GID table of an RDMA port, by show_gids or `ibv_devinfo -v`.
struct MachineGidListed {
  static constexpr std::string_view name = "machine_gid_listed";
  std::string_view device;  ///< `mlx5_0`
  int port = -1;
  int index = -1;              ///< The number that NCCL_IB_GID_INDEX chooses.
  std::string_view gid;        ///< `fe80::ac0:ebff:feda:1cfb`, `0000:0000:0000:0000:0000:ffff:0a09:8184`
  std::string_view kind;       ///< `v1` or `v2` of RoCE.
  std::string_view interface;  ///< `eth0`, by show_gids.
  NCCL_ANALYZE_FIELDS(MachineGidListed, device, port, index, gid, kind, interface)
};

/// A value of a host, as a command of the shell shows it.
struct MachineValueListed {
  static constexpr std::string_view name = "machine_value_listed";
  std::string_view what;    ///< See MachineValue.
  std::int64_t number = 0;  ///< See MachineValue.
  NCCL_ANALYZE_FIELDS(MachineValueListed, what, number)
};

/// A graph of a graph file: what NCCL planned for an algorithm.
struct MachineGraphListed {
  static constexpr std::string_view name = "machine_graph_listed";
  int id = -1;                  ///< 0 ring, 1 tree, 2 and 4 CollNet, 3 NVLS.
  int pattern = -1;             ///< See GraphSearched.
  int nchannels = -1;           ///< Number of channels before NCCL duplicates them.
  double speed_intra = 0;       ///< GB/s of a channel within a node.
  double speed_inter = 0;       ///< GB/s of a channel between nodes.
  std::string_view type_intra;  ///< The worst path type within a node.
  std::string_view type_inter;  ///< The worst path type to a NIC.
  NCCL_ANALYZE_FIELDS(MachineGraphListed, id, pattern, nchannels, speed_intra, speed_inter, type_intra, type_inter)
};

/// A channel of a graph.
struct MachineChannelListed {
  static constexpr std::string_view name = "machine_channel_listed";
  int graph = -1, channel = -1;
  std::string_view path;  ///< `NET/0 rank/0 rank/1 NET/0`
  NCCL_ANALYZE_FIELDS(MachineChannelListed, graph, channel, path)
};

}  // namespace nccl_analyze
