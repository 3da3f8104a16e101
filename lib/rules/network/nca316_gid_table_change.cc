// NCA316 reports a GID table that changed while the job ran: connections that use an old GID may fail.

#include <algorithm>

#include "nccl_analyze/rule.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"

namespace nccl_analyze::nca316 {

namespace {

std::string what(const Incident&) { return "saw the address table (GIDs) of a NIC's port change"; }

bool connections_failed(const Model& model) {
  return std::any_of(model.incidents.begin(), model.incidents.end(), [](const Incident& incident) {
    const RdmaFault fault = rdma_fault(incident);
    return fault == RdmaFault::timeout || fault == RdmaFault::connect;
  });
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = rdma_findings(model, RdmaFault::gid_change, what);
  const bool failed = !verdict.findings.empty() && connections_failed(model);
  for (Finding& finding : verdict.findings) {
    if (!failed) continue;
    finding.own_severity = Severity::warning;
    finding.message += "; connections between NICs failed in the same job";
  }
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA316",
     .name = "gid-table-change",
     .severity = Severity::info,
     .stage = Stage::note,
     .check = "network",
     .title = "The GID table of a NIC changed while the job ran",
     .explanation =
         R"(A RoCE port has one GID for each address of its network interface. The table changes when an address is added,
removed or renewed: DHCP, a network daemon that restarts, a VLAN or bond that comes up, a container that gets its
interface, an IPv6 prefix. Connections keep the GID they were made with.

One such event without anything behind it is harmless, and usual while pods start. It becomes the cause when the GID in
use goes away (connections then time out: status 12) or when indexes move, so that new connections take another one
(`ibv_modify_qp` fails). NCCL prints `GID table changed` since 2.28, `unknown event type (18)` from 2.23 and
`Got async event : GID table change` before.)",
     .fix =
         R"(1. Harmless when the job went on: nothing to do.
2. With failed connections: find what touched the interface at that time (`journalctl -u NetworkManager`,
   `systemd-networkd`, the DHCP client, the CNI plugin). Static addresses for RoCE interfaces; keep network daemons
   away from them (`unmanaged-devices`).
3. Let NCCL choose the GID (`NCCL_IB_GID_INDEX` unset, NCCL 2.21 and later) instead of an index that can move.)"},
    check};

}  // namespace nccl_analyze::nca316
