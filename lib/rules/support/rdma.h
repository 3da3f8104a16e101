#pragma once
/// Classifies failures of RDMA networks (InfiniBand, RoCE, EFA), so that all rules about these networks agree.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

enum class RdmaFault : std::uint8_t {
  none,          ///< No failure of an RDMA network, or a failure without a rule.
  flush,         ///< A request was discarded because its connection had failed before: never a cause.
  timeout,       ///< The remote NIC did not answer, or was not ready to receive.
  memory,        ///< Memory access of a NIC was refused, or a registration failed for reasons other than ENOMEM.
  queue_fatal,   ///< A queue of the NIC broke; its connections are lost.
  device_fatal,  ///< The NIC itself failed.
  port_down,     ///< A port lost its link.
  port_up,       ///< A port got its link back, which is no fault.
  gid_change,    ///< The addresses of a RoCE port changed.
  connect,       ///< A connection between two NICs could not be set up.
  no_memory,     ///< A queue or a registration got no memory: the locked-memory limit, or a limit of the NIC.
  exhausted,     ///< A queue or a registration failed with EAGAIN, ENFILE, EMFILE or ENOSPC.
};
RdmaFault rdma_fault(const Incident& incident);

/// Whether the job suffered from a lost link: requests timed out, or the port stayed down and the process did not end
/// in order.
bool link_loss_hurts(const Model& model, const Incident& port_down);

/// Whether any of these processes had connected its rings over an RDMA network. Locked memory was sufficient then, so
/// another resource ran out.
bool rdma_worked_before(const Model& model, const std::vector<Index>& processes);

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
/// all their processes survived become a warning.
std::vector<Finding> rdma_findings(const Model& model, RdmaFault fault, std::string (*what)(const Incident&));

/// `; peer 10.0.0.1, rank 8 (worker-1:101); NIC mlx5_0`; empty when neither peers nor NICs are known.
std::string where_text(const RdmaCase& found);
/// `Rank 3`, `Ranks 0-7`, `A process`, `3 processes`: the start of a message.
std::string who_text(const Finding& finding);
/// `once`, `12 times`.
std::string times_text(std::uint64_t count);

/// `mlx5_0:1`, or `mlx5_0` for port -1.
std::string port_name(std::string_view device, int port);

/// What the log shows of the environment of some processes. A fix names the most likely cause in that environment
/// first.
struct Site {
  bool kubernetes = false, efa = false, roce = false, infiniband = false;
};
Site site_of(const Model& model, const std::vector<Index>& processes);

/// `; NCCL_IB_GID_INDEX=0 is set` if any of these processes uses RoCE and printed that setting; else empty.
std::string gid_index_text(const Model& model, const std::vector<Index>& processes);

}  // namespace nccl_analyze
