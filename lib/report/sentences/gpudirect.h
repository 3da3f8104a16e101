#pragma once
/// Describes what takes work from CPUs: GPUDirect RDMA, CollNet, registered buffers, one-sided networks.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns one sentence for each kind of host, the most frequent first: which GPUs and NICs use GPUDirect RDMA, in
/// which direction, and why others do not, if the log shows why. Without a connection, which NICs could. Empty if the
/// log shows neither. `everything` lifts the limit.
std::vector<std::string> describe_gpudirect(const Model& model, bool everything);

/// Returns ` (16 channels)`, or why NCCL set up no NVLS, such as ` (NCCL_NVLS_ENABLE=0)`; empty if no line
/// shows it.
std::string describe_nvls(const Model& model, const Communicator& comm, bool is_on);

/// Returns a sentence each for CollNet that is asked for and not used, for buffers of the user that NCCL registered or
/// refused, and for the GIN and RMA backends that NCCL chose.
std::vector<std::string> describe_offloads(const Model& model, const Communicator& comm);

}  // namespace nccl_analyze
