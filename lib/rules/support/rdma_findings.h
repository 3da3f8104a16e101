#pragma once
/// Builds the findings that all rules about RDMA networks share, one for each distinct message.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "rules/support/rdma_fault.h"

namespace nccl_analyze {

/// The data of all incidents that one finding about RDMA combines.
struct RdmaCase {
  std::vector<Index> processes;
  Evidence evidence;
  std::vector<Index> incidents;      ///< Indices into Model::incidents.
  std::vector<std::string> devices;  ///< NCCL's names of NICs, `mlx5_0:1`, in order of appearance.
  std::vector<std::string> peers;    ///< Addresses, with the rank when only one rank has the address.
  std::set<std::string> addresses;   ///< Addresses of the peers, to list each peer once.
  bool only_calls = true;            ///< All incidents are failed calls of libibverbs, which a job may survive.
  void add(const Model& model, const Incident& incident);

 private:
  void name_peer(const Model& model, Index process, std::string_view ip);
};

/// Makes one finding for each distinct text that `what` returns for the warnings with this fault. Ranks, count and
/// place are added: `Rank 3 WHAT 5 times; peer 10.0.0.1`. An incident with an empty text is skipped. Failed calls that
/// all their processes survived become a warning. A finding also accounts for requests that the same processes flushed
/// after the failure, without counting or quoting them.
std::vector<Finding> rdma_findings(const Model& model, RdmaFault fault, std::string (*what)(const Incident&));

/// `; peer 10.0.0.1, rank 8 (worker-1:101); NIC mlx5_0`; empty when neither peers nor NICs are known.
std::string where_text(const RdmaCase& found);
/// `Rank 3`, `Ranks 0-7`, `A process`, `3 processes`: the start of a message.
std::string who_text(const Finding& finding);
/// `once`, `12 times`.
std::string times_text(std::uint64_t count);

/// `mlx5_0:1`, or `mlx5_0` for port -1.
std::string port_name(std::string_view device, int port);

}  // namespace nccl_analyze
