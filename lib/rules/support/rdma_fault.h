#pragma once
/// Classifies failures of RDMA networks (InfiniBand, RoCE, EFA).

#include <cstdint>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

enum class RdmaFault : std::uint8_t {
  none,          ///< The incident is no failure of an RDMA network, or no rule covers it.
  flush,         ///< The NIC discarded a request because its connection had failed before: never a cause.
  timeout,       ///< The remote NIC did not answer, or was not ready to receive.
  memory,        ///< No access to memory for a NIC, or a failed registration other than `no_memory` and `exhausted`.
  queue_fatal,   ///< A queue of the NIC failed, and its connections are lost.
  device_fatal,  ///< The NIC itself failed.
  port_down,     ///< A port lost its link.
  port_up,       ///< The link of a port is up again, which is no fault.
  gid_change,    ///< The addresses of a RoCE port changed.
  connect,       ///< A connection between two NICs, or a queue for one, could not be set up.
  no_memory,     ///< Memory for a queue or a registration was refused: locked-memory limit, or a limit of the NIC.
  exhausted,     ///< A queue or a registration failed with EAGAIN, ENFILE, EMFILE or ENOSPC.
};
RdmaFault rdma_fault(const Incident& incident);

}  // namespace nccl_analyze
