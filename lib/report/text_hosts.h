#pragma once
/// Hosts in words: what is alike is said once.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// NVLink, NICs, GPUDirect RDMA of one host; empty when nothing is known but the name.
std::string describe_host(const Host& host);

/// `mlx5_0`; of one without a name `NIC 0 of IB`.
std::string name_of(const HostNic& nic);

/// One sentence for each kind of host, the most frequent first: GPUs, NVLink, NICs, GPUDirect RDMA.
std::vector<std::string> describe_hosts(const Model& model);

/// One sentence for each host whose GPUs use NICs: which uses which.
std::vector<std::string> describe_nic_use(const Model& model);

/// Where NCCL's nodes are not the hosts, once for each pair of numbers.
std::vector<std::string> describe_nodes(const Model& model);

}  // namespace nccl_analyze
