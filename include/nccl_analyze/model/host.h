#pragma once
/// A host with its GPUs, NICs and NVLink.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// The kind of path between two devices, which is the kind of its worst link; best first. `unknown`: not printed, or
/// printed as a number (2.5).
enum class PathType : std::uint8_t { unknown, loc, nvl, nvb, c2c, pix, pxb, p2c, pxn, phb, node, sys, net, dis };
/// Returns the name as NCCL prints it, such as `NVL`; empty for `unknown`.
std::string_view to_string(PathType path);
/// Returns the path type with this name; `unknown` if no path type has it.
PathType path_type(std::string_view text);

/// How NVLink connects the GPUs of a host. `direct`: from GPU to GPU; `switched`: over NVSwitch; `present`: in one of
/// these two ways.
enum class Nvlink : std::uint8_t { unknown, none, present, direct, switched };
std::string_view to_string(Nvlink nvlink);

/// A GPU of a host. The members after `nics` come from the topology dump (NCCL_DEBUG_SUBSYS=GRAPH), with bandwidths in
/// GB/s as NCCL computes them (0: unknown).
struct HostGpu {
  std::uint64_t bus_id = 0;  ///< 0 = not printed; `nvml_dev` then identifies the GPU.
  int nvml_dev = -1;
  std::vector<Index> nics;  ///< The NICs that the GPU's ranks use, as sorted indices into Host::nics.
  int cpu = -1;             ///< NUMA node
  int pci_switches = -1;    ///< Number of PCI switches between the GPU and its CPU.
  /// Bus id of the nearest PCI switch; a NIC with the same nearest switch is close to the GPU.
  std::uint64_t pci_switch = 0;
  double pci_bandwidth = 0, nvlink_bandwidth = 0;
  /// Total bandwidth of the direct NVLinks to other GPUs; a link counts only if the dump lists it for both ends.
  /// `nvlink_sent` is from the lines of this GPU, `nvlink_received` from those of the other GPUs.
  double nvlink_sent = 0, nvlink_received = 0;
  PathType nic_path = PathType::unknown;  ///< Path to the nearest NIC.
};

/// A port of a NIC, a network interface, or a device that a network plugin names. Ports that NCCL merged into one
/// device have the same `index`.
struct HostNic {
  /// IB (also for the SHARP plugin), Socket, or the name of another plugin; empty when not printed.
  std::string network;
  int index = -1;    ///< The NIC index that connection lines print.
  std::string name;  ///< mlx5_0, eth0, rdmap0s6; empty when only the index is known.
  int port = -1;
  std::string link;  ///< IB or RoCE
  int speed = -1;    ///< Mbit/s as the network printed it (2.27.3+)
  int gdr = -1;      ///< 1: supports GPUDirect RDMA; 0: does not; -1: unknown.
  // The members below come from the topology dump.
  double bandwidth = 0;  ///< GB/s that NCCL assumes; 1.25 also when the speed could not be read.
  int cpu = -1;          ///< NUMA node
  std::uint64_t bus_id = 0, pci_switch = 0;
  std::uint64_t guid = 0;  ///< For InfiniBand the system image GUID of the device.
};

/// A host. If the log names pods or containers, each pod or container on a host is a Host of its own.
struct Host {
  std::string name, pod, container;
  Table<HostGpu> gpus;  ///< GPUs of ranks and of the topology dump, sorted by bus id.
  Table<HostNic> nics;  ///< Sorted by network, index, name, port.
  int cpus = -1;        ///< Number of NUMA nodes in the topology dump.
  std::string cpu;      ///< `x86 Intel`
  Nvlink nvlink = Nvlink::unknown;
  PathType worst_path = PathType::unknown;  ///< The worst path between two GPUs of one communicator.
  LineRef topology_at;                      ///< First line of the topology dump; line 0 = no complete dump.
  /// Number of connection ends that use a network other than sockets, and how many of these ends use GPUDirect RDMA.
  std::uint64_t network_ends = 0, gdr_ends = 0;
  /// Whether one of these ends receives. If none does, `gdr_ends` = 0 does not prove that GPUDirect RDMA is off,
  /// because NCCL may use it only for receiving on GPUs before Ampere.
  bool receives = false;
};

}  // namespace nccl_analyze
