#pragma once
/// Combines the incidents of an RDMA network into findings, for all rules about these networks.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "rules/support/rdma_fault.h"

namespace nccl_analyze {

/// The combined data of the incidents of one finding.
struct RdmaCase : ProcessGroup {
  std::vector<std::string> devices;  ///< Distinct NICs (`mlx5_0:1`), in order of appearance.
  std::vector<std::string> peers;    ///< Distinct peers: the address, and the rank if no other rank has this address.
  std::set<std::string> addresses;   ///< The addresses of `peers`.
  bool only_calls = true;            ///< Whether all incidents are failed calls of libibverbs, which a job may survive.
  void add(const Model& model, const Incident& incident);
  /// Adds a peer of the process: its address, and its rank if no other rank has this address.
  void name_peer(const Model& model, Index process, std::string_view ip);
};

/// Combines the warnings with this fault into one finding for each distinct text that `what` returns, except an empty
/// text, and gives it the message `Rank 3 WHAT 5 times; peer 10.0.0.1`. The finding has severity warning if all its
/// incidents are failed calls and all its processes survived them. It also accounts for requests that the same
/// processes flushed after the failure, without counting or quoting them.
std::vector<Finding> rdma_findings(const Model& model, RdmaFault fault, std::string (*what)(const Incident&));

/// Adds what the GID tables of the input say of the index that NCCL uses: to the message, to the evidence, and as the
/// values `gid` (`fits` or `wrong`) and `gid_right` (the index of the entry for RoCE v2 with an IPv4 address).
void add_gid_reading(const Model& model, Finding& finding);

/// Returns the peers and NICs: `; peer 10.0.0.1, rank 8 (worker-1:101); NIC mlx5_0`. Empty if none is known.
std::string where_text(const RdmaCase& found);
/// Returns the subject of a message: `Rank 3`, `Ranks 0-7`, `A process`, `3 processes`.
std::string who_text(const Finding& finding);
/// Returns `once` for 1, `12 times` for 12.
std::string times_text(std::uint64_t count);

/// Returns `mlx5_0:1` for port 1, `mlx5_0` for an unknown port (-1).
std::string port_name(std::string_view device, int port);

}  // namespace nccl_analyze
