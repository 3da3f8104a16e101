// NCA305 reports NICs whose peer did not answer or was not ready to receive: the fault is at the peer or on the path to
// it.

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "rules/support/message_text.h"
#include "rules/support/platform.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "rules/support/site.h"

namespace nccl_analyze::nca305 {

namespace {

constexpr std::string_view base_fix =
    R"(1. **The node that the others name** (the peer of most messages): is its process alive, did the kernel log NIC or
   GPU errors (`dmesg | grep -iE 'mlx5|Xid'`), is its port up (`ibstat`, `rdma link`)? A process that was killed
   stops answering too: look for OOM kills and evictions first.
2. **One link or switch port**: `local_ack_timeout_err`, `packet_seq_err` and `rnr_nak_retry_err` of `rdma statistic`
   that grow on one of the hosts are loss. On InfiniBand `ibdiagnet` or `perfquery`
   for symbol errors and link-downed counters, on RoCE `ethtool -S IF | grep -iE 'pause|prio|discard'`. Swap the cable
   of the NIC named here. Always the same pair of nodes is a cable; always one rail is a switch.
3. **RoCE**: the GID must be RoCE v2 of the data network on every host. NCCL finds it by itself since 2.21; before,
   it takes index 0, which is usually the wrong one: `show_gids`, then `NCCL_IB_GID_INDEX=3`. A value that suits one
   host may be wrong on another. Then priority flow control and ECN on NICs and switches, with NCCL in the
   lossless class (`NCCL_IB_TC`, as the fabric's owner says); the same MTU everywhere.
4. **Reach**: `ib_write_bw -d mlx5_0 -x 3` between the two hosts, for each pair of NICs. Where only NICs of the same
   rail reach each other: `NCCL_CROSS_NIC=0`.
5. Only links that come back within seconds gain by patience: `NCCL_IB_TIMEOUT=22` (two minutes; each step
   doubles the time), `NCCL_IB_RETRY_CNT=7` is the maximum.)";

constexpr std::string_view roce_fix =
    R"(The NICs are Ethernet (RoCE), so two things come first: the GID (3.), when it fails at the first collective, and
flow control (PFC and ECN on every NIC and switch port), when it fails under load.

)";

constexpr std::string_view efa_fix =
    R"(On EFA, in this order:

1. **Security group**: every node's group must allow *all* traffic from and to itself, inbound and outbound. TCP
   rules are not enough: EFA is no TCP, and the bootstrap passes without them.
2. **The peer**: did its pod end (`kubectl get pods`, `kubectl describe pod`), was the instance replaced?
3. All nodes in one Availability Zone and VPC; one subnet to be safe, and a placement group for speed.
4. Between the two pods: `fi_pingpong -e rdm -p efa` in one, `fi_pingpong -e rdm -p efa ADDRESS_OF_THE_FIRST` in the
   other.
5. Huge jobs: a current aws-ofi-nccl and EFA driver; old ones lost receivers under load.)";

std::string what(const Incident& incident) {
  if (incident.kind == IncidentKind::ofi_request_failed)
    return concat("got no answer over EFA (", excerpt(incident.error, 100), ")");
  return incident.event.as<IbCompletionFailed>().status == 12
             ? "got no answer from another NIC (completion status 12, retries exceeded)"
             : "found the receiver not ready (completion status 13, RNR retries exceeded)";
}

/// Whether every process of the finding took a failed device out of service and continued over other ports, as NCCL
/// 2.29.7 and later can.
bool was_moved(const Model& model, const Finding& finding) {
  std::size_t moved = 0;
  for (const Index process : finding.processes)
    for (const Incident& incident : model.incidents)
      if (incident.process == process && incident.kind == IncidentKind::ib_device_failed) {
        ++moved;
        break;
      }
  return moved > 0 && moved == finding.processes.size();
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = rdma_findings(model, RdmaFault::timeout, what);
  for (Finding& finding : verdict.findings) {
    const Site site = site_of(model, finding.processes);
    if (uses_efa(model, finding.processes)) finding.fix = efa_fix;
    if (site.roce && !site.infiniband) finding.fix = concat(roce_fix, base_fix);
    finding.message += gid_index_text(model, finding.processes);
    if (!was_moved(model, finding)) continue;
    finding.survived = true;  // NCA307 reports the failed port.
    finding.own_severity = Severity::warning;
  }
  return verdict;
}

constexpr std::string_view causes[] = {"ib-memory-error"};

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA305",
                                  .name = "ib-timeout",
                                  .severity = Severity::error,
                                  .stage = Stage::network,
                                  .check = "network",
                                  .explained_by = causes,
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca305
