#pragma once
/// Describes hosts and their NICs in words. Equal hosts share one sentence.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// NVLink, NICs and GPUDirect RDMA of one host; empty if only its name is known.
std::string describe_host(const Host& host);

/// The NIC's name, `mlx5_0`, or, for a NIC without a name, its number: `NIC 0 of IB`.
std::string name_of(const HostNic& nic);

/// One sentence for each kind of host, the most frequent first: GPUs, NVLink, NICs, GPUDirect RDMA.
std::vector<std::string> describe_hosts(const Model& model);

/// One sentence for each host whose GPUs use NICs, with the NICs of each GPU.
std::vector<std::string> describe_nic_use(const Model& model);

/// One sentence for each different mismatch between the numbers of NCCL nodes and of hosts.
std::vector<std::string> describe_nodes(const Model& model);

}  // namespace nccl_analyze
