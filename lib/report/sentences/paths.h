#pragma once
/// Describes the transports, switches and rings of communicators in words.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns the communicator with the most ranks, or, if no line shows a number of ranks, the first one with
/// connections. Null if no communicator has several ranks.
const Communicator* widest_communicator(const Model& model);

/// Describes the widest communicator that shows a connection, with one line each for its transports inside hosts and
/// between hosts, GPUDirect RDMA by kinds of hosts or the NICs of its GPUs, what describe_offloads() says, and its
/// rings. If the log shows no connection, a line explains how to make NCCL log them. `everything` lifts limits.
std::vector<std::string> describe_paths(const Model& model, bool everything);

/// Describes the NVLink switch of a host in lines such as `NVSwitch` and `NVLS, 16 channels`; empty if the log shows no
/// switch.
std::vector<std::string> describe_switch(const Communicator& communicator, const Host* host);

/// Returns the label of a group of hosts that NVLink joins: `NVLink joins these hosts (MNNVL), NVLS on 16 channels`.
/// Empty without MNNVL.
std::string describe_domain(const Communicator& communicator);

/// Returns the rank order of a ring. A complete ring is rotated to begin at its lowest rank, so that equal rings
/// compare equal.
std::vector<int> from_lowest(const Ring& ring);

/// Describes the order of a complete ring: `0→3→2→1→0`. A long ring is shortened to its first and last ranks.
std::string describe_ring(const std::vector<int>& order);

/// Describes the complete rings: `2 rings: 0→3→2→1→0` or `16 rings in 2 orders, such as 0→7→6→…→8→0`. Empty if no ring
/// is complete.
std::string describe_rings(const Communicator& communicator);

}  // namespace nccl_analyze
