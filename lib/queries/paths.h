#pragma once
/// Derives how the ranks of a communicator exchange data (NVLink, PCIe, SHM, network).

#include <optional>
#include <string>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// The paths that the log proves; an empty string or optional means that the log proves nothing.
struct CommPaths {
  std::string inside;        ///< Paths within nodes, separated by ` + `: NVLink, PCIe, SHM, NET/…
  std::string between;       ///< Transports between nodes, separated by ` + `: NET/Socket, NET/IB, …
  std::string open;          ///< Network transports to ranks that may be on this node or on another.
  std::optional<bool> gdr;   ///< true: all connections between nodes use GPUDirect RDMA; false: none does.
  std::optional<bool> nvls;  ///< true: NVLink SHARP is set up; false: it is unavailable.
  Evidence why;              ///< Lines that prove the paths.
};

CommPaths find_paths(const Model& model, const Communicator& comm);

}  // namespace nccl_analyze
