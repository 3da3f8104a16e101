#pragma once
/// How the ranks of a communicator reach each other, as far as its log proves it.

#include <optional>
#include <string>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

struct CommPaths {
  std::string inside;        ///< A node: NVLink, PCIe, SHM, NET/…, several joined by ` + `; empty: not proven.
  std::string between;       ///< Nodes: NET/Socket, NET/IB, …
  std::optional<bool> gdr;   ///< All connections between nodes use GPUDirect RDMA, or none does.
  std::optional<bool> nvls;  ///< NVLink SHARP is set up, or its devices cannot.
  Evidence why;
};

CommPaths find_paths(const Model& model, const Communicator& comm);

}  // namespace nccl_analyze
