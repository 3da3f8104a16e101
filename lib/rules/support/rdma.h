#pragma once
/// What a failure of an RDMA network is: InfiniBand and RoCE as libibverbs tells it, EFA as libfabric does. The rules
/// of these networks, and the sorting of cause and echo, agree on it here.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

enum class RdmaFault : std::uint8_t {
  none,          ///< No failure of an RDMA network, or one that no rule knows.
  flush,         ///< A request thrown away because its connection had failed before: never a cause.
  timeout,       ///< The other NIC did not answer, or was not ready to receive.
  memory,        ///< A NIC was refused access to memory, or could not be given it.
  queue_fatal,   ///< A queue of the NIC broke; its connections are lost.
  device_fatal,  ///< The NIC itself failed.
  port_down,     ///< A port lost its link.
  port_up,       ///< It is back; normal by itself.
  gid_change,    ///< The addresses of a RoCE port changed.
  connect,       ///< A connection between two NICs could not be set up.
  no_memory,     ///< A queue or a registration got no memory: the locked-memory limit, or a limit of the NIC.
  exhausted,     ///< The same, where the system says that something is used up.
};
RdmaFault rdma_fault(const Incident& incident);

/// A lost link that the job did not survive: the port stayed down, or connections timed out.
bool link_loss_hurts(const Model& model, const Incident& port_down);

/// One of these processes had connected its ring over an RDMA network: locking memory worked, and something ran out.
bool rdma_worked_before(const Model& model, const std::vector<Index>& processes);

/// What one finding about RDMA incidents says of them all.
struct RdmaCase {
  std::vector<Index> processes;
  Evidence evidence;
  std::vector<Index> incidents;      ///< Into Model::incidents.
  std::vector<std::string> devices;  ///< As NCCL names them, `mlx5_0:1`; in order of appearance.
  std::vector<std::string> peers;    ///< Addresses, with the rank where only one is there.
  std::set<std::string> addresses;   ///< Of the peers.
  bool only_calls = true;            ///< Calls of libibverbs, which a job may survive.
  void add(const Model& model, const Incident& incident);

 private:
  void name_peer(const Model& model, Index process, std::string_view ip);
};

/// One finding for each different text that `what` makes of the incidents of this fault, behind who says so and
/// before how often and where: `Rank 3 WHAT 5 times; peer 10.0.0.1`. An empty text leaves an incident out. A call that
/// failed and that all its processes survived is a warning.
std::vector<Finding> rdma_findings(const Model& model, RdmaFault fault, std::string (*what)(const Incident&));

/// `; peer 10.0.0.1, rank 8 (worker-1:101); NIC mlx5_0`: what is known of a case; may be empty.
std::string where_text(const RdmaCase& found);
/// `Rank 3`, `Ranks 0-7`, `A process`, `3 processes`: the start of a message.
std::string who_text(const Finding& finding);
/// `once`, `12 times`.
std::string times_text(std::uint64_t count);

/// `mlx5_0:1`, or the device alone where no port is named (-1).
std::string port_name(std::string_view device, int port);

/// The kind of place that a job runs in, as far as the log of these processes tells; fixes begin with what is
/// likeliest there.
struct Site {
  bool kubernetes = false, efa = false, roce = false, infiniband = false;
};
Site site_of(const Model& model, const std::vector<Index>& processes);

/// `; NCCL_IB_GID_INDEX=0 is set` where one of these processes printed that and uses RoCE; else empty.
std::string gid_index_text(const Model& model, const std::vector<Index>& processes);

}  // namespace nccl_analyze
