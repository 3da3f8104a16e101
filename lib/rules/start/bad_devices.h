#pragma once
/// Finds the TCP devices of a process that do not connect hosts.

#include <cstdint>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "queries/interfaces.h"

namespace nccl_analyze {

/// The interfaces of a process that cannot carry traffic between hosts.
struct UnsuitableDevices {
  std::vector<std::string> names, kinds;
  UnsuitableInterface first;
  bool is_first = false;    ///< Whether the first device of the list is among them.
  bool lets_lo_in = false;  ///< Whether `lo` stands beside other interfaces.
  bool are_used = false;    ///< Whether data goes over them: a connection names them, or there is no other device.
};

/// Returns the unsuitable devices among those that connections of the process use. If there are none, examines all its
/// devices, because the input may not show all connections, and NET/Socket may send data over every device in its list:
/// one unsuitable device is enough to break connections. If `every` is false, only the first device counts. `used` is
/// the mask of the process from used_socket_devices(); 0 stands for all devices.
UnsuitableDevices unsuitable_devices(const Process& process, bool every, std::uint64_t used);

}  // namespace nccl_analyze
