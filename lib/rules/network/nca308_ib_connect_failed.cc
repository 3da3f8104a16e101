// NCA308 reports NICs whose RDMA connection could not be set up although the bootstrap over TCP worked.

#include <algorithm>

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "rules/support/message_text.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "rules/support/search.h"
#include "rules/support/site.h"

namespace nccl_analyze::nca308 {

namespace {

constexpr std::string_view base_fix =
    R"(1. **RoCE: the GID.** Unset `NCCL_IB_GID_INDEX` with NCCL 2.21 or later, which finds the RoCE v2 GID by itself; with
   older ones set the index that `show_gids` shows as RoCE v2 with the IPv4 address of the data network, on *every*
   host (in containers it is often another one than on the node). `NCCL_IB_ROCE_VERSION_NUM=2`,
   `NCCL_IB_ADDR_FAMILY=AF_INET` and `NCCL_IB_ADDR_RANGE` narrow the search.
2. **Rails.** NICs of different rails have no route to each other in rail-only fabrics: `NCCL_CROSS_NIC=0`, and the
   same NIC names in the same order on all hosts (`NCCL_IB_HCA`).
3. **Which ports.** `NCCL_IB_HCA` must leave out storage and management ports, and ports of the other link type:
   `ibv_devinfo | grep -E 'hca_id|link_layer|state'`. Every port must be `PORT_ACTIVE`.
4. **Reach.** RoCE: `ping -I` from the NIC's address to the peer's, the same VLAN or a route, UDP port 4791 open in
   the firewall. InfiniBand: `ibping`, and a subnet manager that serves both ends.
5. `ib_write_bw -d mlx5_0 -x GID_INDEX` between the two hosts shows the same without NCCL.
6. A port that is slow to come up: `NCCL_IB_MQP_RETRY_ALL=1` tries again (2.24 and later).)";

constexpr std::string_view pod_fix =
    R"(In Kubernetes first: the pod needs its own RDMA interface (SR-IOV or macvlan through a second network attachment, or
`hostNetwork: true`), and the GID table of that interface must show the pod's address: `kubectl exec POD -- show_gids`.
A pod that sees the NIC's device without its network interface has GIDs that lead nowhere.

)";

std::string_view reading_of(const Incident& incident) {
  switch (incident.error_number) {
    case 110:
      return ": the address of the other NIC does not resolve from here (GID, VLAN, route or rail)";
    case 101:
    case 113:
      return ": there is no route from this NIC to the other (GID, VLAN or rail)";
    case 22:
      return ": the NIC rejects the address or the parameters (GID index without a GID, another link type or MTU)";
    case 19:
      return ": the port or its interface is gone";
    default:
      return {};
  }
}

std::string what(const Incident& incident) {
  if (incident.kind == IncidentKind::ib_devices_incompatible)
    return "could not connect two NICs: one is InfiniBand, the other RoCE;";
  const std::string_view call = incident.event.as<CallFailed>().call;
  const std::string_view step = call == "ibv_modify_qp"   ? "connect a queue pair to another NIC"
                                : call == "ibv_query_gid" ? "read the GID of a NIC's port"
                                                          : "create a queue of a NIC";
  return concat("could not ", step, " (", excerpt(call, 40),
                incident.error.empty() ? std::string() : concat(": ", excerpt(incident.error, 80)), ")",
                reading_of(incident), ";");
}

/// The title for a failure that happened before NCCL connected two NICs; empty for other failures.
std::string title_of(std::string_view message) {
  if (contains(message, "could not read the GID")) return "The GID of a NIC's port could not be read";
  return contains(message, "could not create a queue") ? "A queue of a NIC could not be created" : "";
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = rdma_findings(model, RdmaFault::connect, what);
  for (Finding& finding : verdict.findings) {
    finding.title = title_of(finding.message);
    if (site_of(model, finding.processes).kubernetes) finding.fix = concat(pod_fix, base_fix);
    finding.message += gid_index_text(model, finding.processes);
  }
  return verdict;
}

constexpr std::string_view causes[] = {"rail-mismatch"};

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA308",
                                  .name = "ib-connect-failed",
                                  .severity = Severity::error,
                                  .stage = Stage::setup,
                                  .check = "network",
                                  .explained_by = causes,
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca308
