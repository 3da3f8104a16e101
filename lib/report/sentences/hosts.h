#pragma once
/// Describes hosts and their NICs in words. Equal hosts share one sentence.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Describes NVLink and NICs of one host; empty if neither is known.
std::string describe_host(const Host& host);
/// Returns whether connections of the host use GPUDirect RDMA, in a few words; empty without such connections.
std::string describe_gdr(const Host& host);

/// Returns the name of the NIC, `mlx5_0`, or, if it has no name, its number: `NIC 0 of IB`.
std::string name_of(const HostNic& nic);

/// Returns one sentence for each kind of host, the most frequent first: GPUs, NVLink, NICs.
std::vector<std::string> describe_hosts(const Model& model);

/// Returns one sentence for each host whose GPUs use NICs that describe_gpudirect() does not name, with the NICs of
/// each GPU.
std::vector<std::string> describe_nic_use(const Model& model);

/// Returns one sentence for each communicator whose number of NCCL nodes differs from its number of hosts. Equal
/// sentences are written once, at most three in all. Leaves out communicators with a rank whose host is unknown, and
/// those where the difference may come from missing logs or from hosts of the same name.
std::vector<std::string> describe_nodes(const Model& model);

}  // namespace nccl_analyze
