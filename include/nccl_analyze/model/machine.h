#pragma once
/// The hardware of a machine, as other tools show it: `nvidia-smi topo -m`, topology and graph files of NCCL, `lspci
/// -vvv`, the tools of RDMA devices (ibstat, ibv_devinfo, show_gids and others), and commands of the shell.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model/host.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// The tool that wrote a document. `topology_xml` and `graph_xml`: NCCL itself, into the files that NCCL_TOPO_DUMP_FILE
/// and NCCL_GRAPH_DUMP_FILE name.
enum class MachineTool : std::uint8_t {
  topo_matrix,
  topology_xml,
  graph_xml,
  ibstat,
  ibdev2netdev,
  lspci,
  ibv_devinfo,
  ibstatus,
  rdma_link,
  show_gids,
  ulimit,  ///< Also `/proc/self/limits`.
  df,
  lsmod,
  nvidia_smi,
  ray,  ///< What Ray says of the host when it starts.
  unknown
};
/// Returns the name of the tool: `nvidia-smi-topo`, `topology-xml`, `ibstat`, `rdma-link` and so on.
std::string_view to_string(MachineTool tool);
/// Returns the tool with this name; `unknown` if no tool has it.
MachineTool machine_tool(std::string_view text);

/// A PCIe link. Widths are in lanes (-1: unknown), speeds in GT/s per lane (0: unknown).
struct PcieLink {
  int width = -1;
  int max_width = -1;  ///< The largest width that the device supports.
  double speed = 0;    ///< GPUs lower the link speed while they are idle.
  double max_speed = 0;
};

/// A GPU of a machine.
struct MachineGpu {
  LineRef at;
  int index = -1;            ///< NVML index; -1: not printed.
  std::uint64_t bus_id = 0;  ///< As in HostGpu::bus_id; 0: not printed.
  int rank = -1;             ///< The rank that uses the GPU, according to the topology file.
  int numa = -1;
  int c2c = 0;  ///< Number of chip-to-chip links to the CPU.
  PcieLink link;
  std::vector<std::uint64_t> switches;  ///< Bus ids of the PCIe bridges above the GPU, from the CPU down.
  std::string product;                  ///< As lspci names it.
  int nvlinks = 0;                      ///< Number of NVLinks in a topology file.
  Index gpu = -1;                       ///< Index into Host::gpus of Machine::host; -1: not known.
};

/// The state of a port. `down`: not usable; `up`: active.
enum class PortState : std::uint8_t { unknown, down, up };
std::string_view to_string(PortState state);

/// A NIC of a machine, or one port of a NIC.
struct MachineNic {
  LineRef at;
  std::string label;  ///< `NIC0`, in a matrix of paths.
  std::string name;   ///< mlx5_0; empty if only the label or the bus id is known.
  int port = -1;
  std::uint64_t bus_id = 0, guid = 0;
  double rate = 0;  ///< Gbit/s; 0: unknown.
  int numa = -1;
  PortState state = PortState::unknown;
  std::string printed_state;   ///< `Down`, `Initializing`, as the tool prints it.
  std::string physical_state;  ///< `LinkUp`, `Disabled`, `Polling`
  std::string link_layer;      ///< `InfiniBand` or `Ethernet`
  std::string interface;       ///< `ib0`
  PcieLink link;
  std::vector<std::uint64_t> switches;
  std::string product;
};

/// An entry of the GID table of an RDMA port.
struct MachineGid {
  LineRef at;
  std::string device;  ///< mlx5_0; empty in an excerpt without the name.
  int port = -1;
  int index = -1;         ///< The number that NCCL_IB_GID_INDEX chooses.
  std::string gid;        ///< As printed, in the long or the short form of an IPv6 address.
  std::string kind;       ///< `v1` or `v2` of RoCE; empty if not printed.
  std::string interface;  ///< `eth0`, by show_gids.
};

/// A value of a host, as a command of the shell shows it. `what` is one of:
/// * `memlock`: the limit on locked memory in bytes, -1 for unlimited (`ulimit -l`, /proc/self/limits)
/// * `shm_size`, `shm_available`: the size of /dev/shm, and what is free of it, in bytes (`df`, Ray)
/// * `nvidia_peermem`: 1 if the kernel's module is loaded, 0 if it is not (`lsmod`)
/// * `gpus`: 0 if nvidia-smi finds no GPU
/// * `driver`: 0 if nvidia-smi does not reach the kernel's driver
/// * `nvlinks_inactive`: the number of inactive NVLinks of a GPU (`nvidia-smi nvlink -s`)
struct MachineValue {
  LineRef at;
  std::string what;
  std::int64_t number = 0;
};

/// The path from a GPU to another GPU or to a NIC.
struct MachinePath {
  LineRef at;
  Index gpu = -1;  ///< Index into Machine::gpus.
  Index to = -1;   ///< Index into Machine::gpus or Machine::nics.
  bool to_nic = false;
  PathType type = PathType::unknown;
  int nvlinks = 0;  ///< Number of NVLinks of a path of type `nvl`.
};

/// NVLinks of a GPU in a topology file.
struct MachineNvlink {
  LineRef at;
  std::uint64_t from = 0;  ///< Bus id of the GPU.
  std::uint64_t to = 0;    ///< Bus id of the other GPU; 0: a switch or a CPU.
  bool to_switch = false;
  int links = 0;
};

/// A PCIe bridge with access control (ACS) on.
struct AcsBridge {
  LineRef at;
  std::uint64_t bus_id = 0;
  std::uint64_t first_bus = 0, last_bus = 0;  ///< The range of buses below it, as bus id >> 12; 0: unknown.
  std::string acs;                            ///< `SrcValid+ ReqRedir+ …`
};

/// A graph that NCCL planned.
struct PlannedGraph {
  LineRef at;
  int id = -1;                              ///< 0 ring, 1 tree, 2 and 4 CollNet, 3 NVLS.
  int pattern = -1;                         ///< As in GraphSearched.
  int nchannels = -1;                       ///< Number of channels before NCCL duplicates them.
  double speed_intra = 0, speed_inter = 0;  ///< GB/s of a channel, within a node and between nodes.
  PathType type_intra = PathType::unknown, type_inter = PathType::unknown;
  std::vector<std::string> channels;  ///< `NET/0 rank/0 rank/1 NET/0` for each channel.
};

/// The contents of one document about one machine.
struct Machine {
  LineRef at;  ///< The first line of the document.
  MachineTool tool = MachineTool::unknown;
  std::string prompt_host;      ///< The host in the shell's prompt before the command; empty without a prompt.
  Index host = -1;              ///< Index into Model::hosts; -1: the input does not prove which host it is.
  bool complete = false;        ///< Whether the end of the document was read.
  std::uint64_t host_hash = 0;  ///< In topology files since NCCL 2.21: a hash that differs between hosts.
  bool several_hosts = false;   ///< Whether the topology file holds several hosts, which NVLink joins.
  std::string cpu;              ///< `x86_64 GenuineIntel`
  Table<MachineGpu> gpus;
  Table<MachineNic> nics;
  std::vector<MachinePath> paths;
  std::vector<MachineNvlink> nvlinks;
  std::vector<AcsBridge> acs_bridges;
  std::vector<PlannedGraph> graphs;
  std::vector<MachineGid> gids;
  std::vector<MachineValue> values;
};

}  // namespace nccl_analyze
