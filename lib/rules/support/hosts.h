#pragma once
/// Decides whether ranks and jobs span several hosts.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Whether two ranks of one apparent process have the same GPU. NCCL refuses two ranks on one GPU of a host, so these
/// ranks belong to different processes on different hosts, whose prefixes were lost or replaced by the same text.
bool shares_gpus(const Communicator& comm);
/// Whether both ranks run on the same machine, by host name, bootstrap address and GPU.
bool same_host(const Model& model, const Rank& a, const Rank& b);
/// The number of nodes that NCCL printed, else the number of hosts in the input.
std::size_t node_count(const Model& model, const Communicator& comm);

/// Whether the communicator has several nodes, by NCCL's own count. Without that count, different host names
/// of its ranks or shares_gpus() decide.
bool spans_nodes(const Model& model, const Communicator& comm);
/// Whether any communicator spans nodes.
bool spans_nodes(const Model& model);

/// Whether the input proves a statement, disproves it, or leaves it open. A rule may warn conditionally if a statement
/// is open; see if_it_spans_hosts.
enum class Proof : std::uint8_t { disproven, open, proven };
/// Whether the job of this process spans hosts. Proven if any communicator of the process spans nodes. Else disproven
/// if, for any of these communicators, NCCL counted a single node or the input has all ranks on a single host.
Proof spans_hosts(const Model& model, Index process);
/// Whether one communicator spans hosts.
Proof spans_hosts(const Model& model, const Communicator& comm);
/// Whether the job of several processes spans hosts. Proven if proven for any process, disproven if disproven for all
/// processes, open for an empty list.
Proof spans_hosts(const Model& model, const std::vector<Index>& processes);
/// Ends the message of a conditional warning (Proof::open).
inline constexpr std::string_view if_it_spans_hosts =
    ". It matters if the job spans hosts, which this input does not show";

}  // namespace nccl_analyze
