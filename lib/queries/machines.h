#pragma once
/// Queries on the documents that describe a machine.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The documents that certainly describe a host, by host. Valid as long as the model.
class MachinesByHost {
 public:
  explicit MachinesByHost(const Model& model);
  /// The documents of a host; empty for -1.
  std::span<const Machine* const> of(Index host) const {
    return host < 0 || machines_.empty() ? std::span<const Machine* const>{} : machines_[host];
  }

 private:
  Table<std::vector<const Machine*>> machines_;  ///< Empty if the input has no document.
};

/// Whether the NIC is an RDMA NIC with a name, and its port is not down.
bool is_usable(const MachineNic& nic);
/// Whether a document shows a NIC of the host for which is_usable() is true.
bool has_nics(const MachinesByHost& machines, Index host);

/// The command whose output the document is, or the file that it is: "`nvidia-smi topo -m`", "NCCL's topology file".
std::string_view tool_text(const Machine& machine);

/// The host of the document as findings name it; the name of its source if the host is not known.
std::string machine_text(const Model& model, const Machine& machine);

/// `NV18`, `PIX`; empty if the type is not known.
std::string path_text(const MachinePath& path);

/// The path that the document shows between two GPUs of its host (indices into Host::gpus); null if it shows none.
const MachinePath* path_between(const Machine& machine, Index from, Index to);

/// The lines of a document that prove NVLink; the text is empty if there is no proof.
struct NvlinkShown {
  std::string text;  ///< "`nvidia-smi topo -m` shows NV18 between these GPUs"
  LineRef at;
  explicit operator bool() const { return !text.empty(); }
};
/// Whether a document shows NVLink between the GPUs of each of these pairs of ranks, which run on one host.
NvlinkShown nvlink_between(const Model& model, const MachinesByHost& machines, const Communicator& comm,
                           const std::vector<std::pair<int, int>>& pairs);
/// Whether a document shows NVLink between all GPUs of a host, at least two.
NvlinkShown nvlink_between_all(const MachinesByHost& machines, Index host);

/// The ranks that use each GPU. Valid as long as the model.
class GpuRanks {
 public:
  explicit GpuRanks(const Model& model) : model_(&model), uses_(gpu_uses(model)) {}
  /// The uses of a GPU. `gpu` is an index into Host::gpus.
  std::span<const GpuUse> uses_of(Index host, Index gpu) const;
  /// The processes whose ranks use the GPU.
  std::vector<Index> processes_of(Index host, Index gpu) const;

 private:
  const Model* model_;
  std::vector<GpuUse> uses_;
};

}  // namespace nccl_analyze
