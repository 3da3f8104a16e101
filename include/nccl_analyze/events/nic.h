#pragma once
/// Events of the NICs of a host and the features that they support.

#include <string_view>

#include "nccl_analyze/events/field.h"
#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

/// NET/IB found no usable device.
struct IbDevicesAbsent {
  static constexpr std::string_view name = "ib_devices_absent";
  NCCL_ANALYZE_FIELDS(IbDevicesAbsent)
};

/// The devices that NET/IB uses, and the network interface that it uses for exchanging addresses.
struct IbDevicesListed {
  static constexpr std::string_view name = "ib_devices_listed";
  NicList devices;  ///< `[0]mlx5_0:1/IB …`; empty if there are no devices.
  std::string_view interface;
  std::string_view address;  ///< `ip<port>` as printed.
  NCCL_ANALYZE_FIELDS(IbDevicesListed, devices, interface, address)
};

/// The network interfaces that NET/Socket uses.
struct SocketInterfacesListed {
  static constexpr std::string_view name = "socket_interfaces_listed";
  InterfaceList interfaces;  ///< `[0]eth0:10.0.0.1<0> [1]…`
  NCCL_ANALYZE_FIELDS(SocketInterfacesListed, interfaces)
};

/// Whether a NIC supports GPUDirect RDMA, regardless of the GPU (subsystem NET).
struct NicGdrReported {
  static constexpr std::string_view name = "nic_gdr_reported";
  std::string_view network;
  std::string_view state;  ///< Enabled or Disabled
  int device = -1;
  std::string_view nic;
  std::string_view reason;  ///< `no module`, or the mechanism in use: nvidia-peermem, DMABUF.
  NCCL_ANALYZE_FIELDS(NicGdrReported, network, state, device, nic, reason)
};

/// Whether a GPU uses GPUDirect RDMA with a NIC, which depends on their distance (up to 2.29.7). Depending on the
/// release, `gpu` and `nic` are a bus id, an index or `GPU/0-1b000 (rank)`.
struct GdrDecided {
  static constexpr std::string_view name = "gdr_decided";
  std::string_view state;  ///< Enabled or Disabled
  std::string_view gpu, nic;
  int distance = -1, limit = -1;  ///< Path types, as numbered by the release that printed the line.
  int read = -1;                  ///< 1: the NIC also reads from the GPU's memory, for sends.
  std::string_view mode;          ///< `Default` or `PCI` (2.26.2+)
  NCCL_ANALYZE_FIELDS(GdrDecided, state, gpu, nic, distance, limit, read, mode)
};

/// A port of a NIC with its speed (subsystem NET, 2.27.3+).
struct NicReported {
  static constexpr std::string_view name = "nic_reported";
  int index = -1;
  std::string_view device;
  int port = -1;
  std::string_view link, provider;
  int speed = -1;  ///< Mbit/s
  NCCL_ANALYZE_FIELDS(NicReported, index, device, port, link, provider, speed)
};

/// A virtual device, such as `mlx5_0+mlx5_1`, into which NCCL merged several ports (2.24.3+).
struct VirtualNicMade {
  static constexpr std::string_view name = "virtual_nic_made";
  int index = -1;
  std::string_view device;
  int speed = -1;  ///< Mbit/s
  int ports = -1, rail = -1, plane = -1;
  NCCL_ANALYZE_FIELDS(VirtualNicMade, index, device, speed, ports, rail, plane)
};

/// Ranks of a communicator have different numbers of NICs (2.30.3+).
struct NicCountsMismatched {
  static constexpr std::string_view name = "nic_counts_mismatched";
  int min = -1, max = -1;
  NCCL_ANALYZE_FIELDS(NicCountsMismatched, min, max)
};

}  // namespace nccl_analyze
