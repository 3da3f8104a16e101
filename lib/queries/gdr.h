#pragma once
/// Finds which GPUs and NICs use GPUDirect RDMA, in which direction, and why others do not.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Whether the connections of one direction use GPUDirect RDMA. `some`: not all of them do; `not_shown`: no line shows
/// an end of this direction.
enum class GdrUse : std::uint8_t { not_shown, off, some, on };

/// A GPU and a NIC that connections use together, except sockets and Google's networks, which have a way of their own.
struct GdrPair {
  Index process = -1;  ///< The process of the rank; one of them if several ranks use the pair.
  Index gpu = -1;      ///< Index into Host::gpus. Ranks whose GPU the log does not show have no pair.
  int device = -1;     ///< The number of the NIC in connection lines.
  std::string nic;     ///< Its name, as in `mlx5_0`; without a name its number, as in `NIC 0`.
  GdrUse send{}, receive{};
};
/// Returns the pairs of each host, by index into Model::hosts, sorted by GPU and NIC. If a rank sends through the proxy
/// of another rank (PXN), the GPU is that of the other rank, whose memory the NIC reads.
Table<std::vector<GdrPair>> gdr_pairs(const Model& model);

/// Returns the rank whose GPU and NIC an end of a network connection uses: the rank that printed it, or the rank whose
/// proxy sends. Null if the input has no lines of it.
const Rank* rank_at_nic(const Communicator& comm, const ConnectionGroup& group);
/// Names the NIC with this number in the list of the process, or `NIC 3`: `mlx5_0+mlx5_1` if NCCL merged several.
/// `network` is a name as in Host::nics.
std::string nic_name(const Host& host, const Process& process, std::string_view network, int device);

bool uses_libfabric(const Process& process);
/// Whether the process has Omni-Path NICs, whose driver does not support peer memory.
bool uses_omni_path(const Process& process);
/// Returns the value of NCCL_NET_GDR_LEVEL or of NCCL_IB_GDR_LEVEL, its old name; null without either.
const EnvValue* gdr_level_setting(const Process& process);

/// Why GPUDirect RDMA is off.
struct GdrReason {
  std::string text;
  std::string_view kind;  ///< `setting`, `nic`, `far`, `refused` or `unknown`, as in the document of NCA304.
};
/// Returns the reason for a process of which no connection uses GPUDirect RDMA. `has_ends`: whether the input shows a
/// connection that could. The text is empty if the log does not show that GPUDirect RDMA is off.
GdrReason gdr_reason(const Model& model, const Process& process, bool has_ends);

}  // namespace nccl_analyze
