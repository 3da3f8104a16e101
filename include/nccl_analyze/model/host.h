#pragma once
/// A host with its GPUs, NICs and NVLink.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// How near two devices are: the worst link between them, best first. `unknown`: not told, or a number (2.5).
enum class PathType : std::uint8_t { unknown, loc, nvl, nvb, c2c, pix, pxb, p2c, pxn, phb, node, sys, net, dis };
/// As NCCL prints it, `NVL`; `unknown` is empty.
std::string_view to_string(PathType path);
/// Of what NCCL printed; `unknown` for anything else.
PathType path_type(std::string_view text);

/// What is known of NVLink between the GPUs of a host. `present`: there is some; `direct`: from GPU to GPU; `switched`:
/// over NVSwitch.
enum class Nvlink : std::uint8_t { unknown, none, present, direct, switched };
std::string_view to_string(Nvlink nvlink);

/// A GPU of a host. Everything after `nics` is of the topology dump (GRAPH), bandwidths in GB/s as NCCL reckons them.
struct HostGpu {
  std::uint64_t bus_id = 0;  ///< 0 = not printed; then `nvml_dev` tells it apart.
  int nvml_dev = -1;
  std::vector<Index> nics;       ///< Into Host::nics: those that connections of its ranks go over. Sorted.
  int cpu = -1;                  ///< NUMA node
  int pci_switches = -1;         ///< Between it and its CPU.
  std::uint64_t pci_switch = 0;  ///< Bus id of the nearest of them; a NIC with the same one is its neighbour.
  double pci_bandwidth = 0, nvlink_bandwidth = 0;
  /// Of direct links that both GPUs print: by its own lines, and by those of the others.
  double nvlink_sent = 0, nvlink_received = 0;
  PathType nic_path = PathType::unknown;  ///< To its nearest NIC.
};

/// A port of a NIC of a host, an interface, or a device that a plugin names. Ports that NCCL merged share `index`.
struct HostNic {
  std::string network;  ///< IB (also of the SHARP plugin), Socket, or the plugin's name; empty when not told.
  int index = -1;       ///< The one that connections name.
  std::string name;     ///< mlx5_0, eth0, rdmap0s6; empty when only the index is known.
  int port = -1;
  std::string link;  ///< IB or RoCE
  int speed = -1;    ///< Mbit/s as the network printed it (2.27.3+)
  int gdr = -1;      ///< 1: it can do GPUDirect RDMA, 0: it cannot.
  // Of the topology dump:
  double bandwidth = 0;  ///< GB/s that NCCL reckons with: 1.25 also where it could not find out.
  int cpu = -1;          ///< NUMA node
  std::uint64_t bus_id = 0, pci_switch = 0;
};

/// A place that processes share as far as the log lets tell: a host, or a pod or container of it.
struct Host {
  std::string name, pod, container;
  Table<HostGpu> gpus;  ///< Sorted by bus id. Those of ranks, and those of the topology dump.
  Table<HostNic> nics;  ///< Sorted by network, index, name, port.
  int cpus = -1;        ///< NUMA nodes that the topology dump shows.
  std::string cpu;      ///< `x86 Intel`
  Nvlink nvlink = Nvlink::unknown;
  PathType worst_path = PathType::unknown;  ///< Between two GPUs of it that a communicator uses.
  LineRef topology_at;                      ///< Head of the topology dump that was read; line 0 = none was whole.
  /// Ends of connections over a network other than sockets, and those of them that use GPUDirect RDMA.
  std::uint64_t network_ends = 0, gdr_ends = 0;
};

}  // namespace nccl_analyze
