#pragma once
/// Finds the paths between the ranks of a communicator (NVLink, PCIe, SHM, network) that its log proves.

#include <optional>
#include <string>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// An empty string or optional means that the log proves nothing.
struct CommPaths {
  std::string inside;        ///< Paths within a node: NVLink, PCIe, SHM, NET/…, joined by ` + `.
  std::string between;       ///< Transports between nodes: NET/Socket, NET/IB, …, joined by ` + `.
  std::optional<bool> gdr;   ///< GPUDirect RDMA between nodes: on all connections (true), or on none (false).
  std::optional<bool> nvls;  ///< Whether NVLink SHARP is set up (true), or unavailable (false).
  Evidence why;              ///< Lines that prove the paths.
};

CommPaths find_paths(const Model& model, const Communicator& comm);

}  // namespace nccl_analyze
