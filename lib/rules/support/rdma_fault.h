#pragma once
/// Classifies failures of RDMA networks (InfiniBand, RoCE, EFA), for all rules about these networks.

#include <cstdint>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

enum class RdmaFault : std::uint8_t {
  none,          ///< No failure of an RDMA network, or a failure without a rule.
  flush,         ///< A request was discarded because its connection had failed before: never a cause.
  timeout,       ///< The remote NIC did not answer, or was not ready to receive.
  memory,        ///< Memory access of a NIC was refused, or a registration failed for reasons other than ENOMEM.
  queue_fatal,   ///< A queue of the NIC broke; its connections are lost.
  device_fatal,  ///< The NIC itself failed.
  port_down,     ///< A port lost its link.
  port_up,       ///< A port got its link back, which is no fault.
  gid_change,    ///< The addresses of a RoCE port changed.
  connect,       ///< A connection between two NICs could not be set up.
  no_memory,     ///< A queue or a registration got no memory: the locked-memory limit, or a limit of the NIC.
  exhausted,     ///< A queue or a registration failed with EAGAIN, ENFILE, EMFILE or ENOSPC.
};
RdmaFault rdma_fault(const Incident& incident);

}  // namespace nccl_analyze
