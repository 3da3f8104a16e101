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
  /// Returns the documents of a host; empty for -1.
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

/// Names the command that printed the document, or the kind of file: "`nvidia-smi topo -m`", "NCCL's topology file".
std::string_view tool_text(const Machine& machine);

/// Returns the host of the document as findings name it; "the machine of" and the name of its source if the host is not
/// known.
std::string machine_text(const Model& model, const Machine& machine);

/// Returns the path as tools print it, `NV18` or `PIX`; empty if the type is not known.
std::string path_text(const MachinePath& path);

/// Returns the path that the document shows between two GPUs of its host (indices into Host::gpus); null if it shows
/// none.
const MachinePath* path_between(const Machine& machine, Index from, Index to);

/// The line of a document that proves NVLink, and a text about it; the text is empty if there is no proof.
struct NvlinkShown {
  std::string text;  ///< "`nvidia-smi topo -m` shows NV18 between these GPUs"
  LineRef at;
  explicit operator bool() const { return !text.empty(); }
};
/// Returns a proof that NVLink connects the GPUs of each of these pairs of ranks: that of the first pair, or none if a
/// pair has no proof. The ranks of a pair run on one host.
NvlinkShown nvlink_between(const Model& model, const MachinesByHost& machines, const Communicator& comm,
                           const std::vector<std::pair<int, int>>& pairs);
/// Returns a proof that NVLink connects all GPUs of a host, of which a complete document must show at least two.
NvlinkShown nvlink_between_all(const MachinesByHost& machines, Index host);

/// The ranks that use each GPU. Valid as long as the model.
class GpuRanks {
 public:
  explicit GpuRanks(const Model& model) : model_(&model), uses_(gpu_uses(model)) {}
  /// Returns the uses of a GPU. `gpu` is an index into Host::gpus.
  std::span<const GpuUse> uses_of(Index host, Index gpu) const;
  /// Returns the processes whose ranks use the GPU, sorted.
  std::vector<Index> processes_of(Index host, Index gpu) const;

 private:
  const Model* model_;
  std::vector<GpuUse> uses_;
};

}  // namespace nccl_analyze
