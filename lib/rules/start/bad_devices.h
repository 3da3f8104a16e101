#pragma once
/// Finds the TCP devices of a process that do not connect hosts.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "queries/interfaces.h"

namespace nccl_analyze {

/// The interfaces of a process that are wrong between hosts.
struct UnsuitableDevices {
  std::vector<std::string> names, kinds;
  UnsuitableInterface first;
  bool is_first = false;    ///< Whether the first device of the list is among them.
  bool lets_lo_in = false;  ///< Whether `lo` stands beside other interfaces.
};

/// The bad devices of a process that its connections use, or any if these are good: the input may not show all
/// connections. NET/Socket sends data over every device in its list, so one bad device is enough to break connections.
/// Unless `every` device counts, only the first one does.
UnsuitableDevices unsuitable_devices(const Model& model, Index process, bool every);

}  // namespace nccl_analyze
