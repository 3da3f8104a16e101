// NCA312 reports fatal errors of a NIC or of one of its queues.

#include <utility>

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"

namespace nccl_analyze::nca312 {

namespace {

std::string device_what(const Incident&) { return "lost a NIC: the device reports a fatal error of its own,"; }

std::string queue_what(const Incident& incident) {
  return concat("lost a queue of a NIC (", excerpt(incident.error, 80), "),");
}

/// Adds the failed call of the thread that waits for events of the device. The call fails because the device is gone.
void add_echo(const Model& model, Finding& finding) {
  for (const Incident& incident : model.incidents)
    if (incident.kind == IncidentKind::call_failed && incident.event.as<CallFailed>().call == "ibv_get_async_event")
      for (const Index process : finding.processes)
        if (process == incident.process) claim(model, incident, finding);
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = rdma_findings(model, RdmaFault::device_fatal, device_what);
  for (Finding& finding : verdict.findings) add_echo(model, finding);
  for (Finding& finding : rdma_findings(model, RdmaFault::queue_fatal, queue_what)) {
    finding.own_stage = Stage::network;  // A refused memory access breaks a queue too, so NCA306 may explain it.
    verdict.findings.push_back(std::move(finding));
  }
  return verdict;
}

constexpr std::string_view causes[] = {"ib-memory-error"};

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA312",
     .name = "nic-fatal",
     .severity = Severity::error,
     .stage = Stage::hardware,
     .check = "network",
     .explained_by = causes,
     .title = "A NIC reports a fatal error",
     .explanation =
         R"(`local catastrophic error` (`device fatal`) is the NIC saying that its firmware or hardware failed: every
connection of every process over it is lost. The driver then resets it, `Call to ibv_get_async_event failed` follows,
and connections to this host time out elsewhere (status 12). Restarting the job on the same host may work for a while.

A fatal event of one queue is smaller: *local access violation* is an access to memory that the NIC may not use, the
same fault as a completion with status 4 or 10; *invalid request* and *catastrophic error* of a work queue or a
completion queue are errors of driver, firmware or NCCL, and rare.

Since 2.23 NCCL stops the communicator for these events and calls them `async fatal event`; older ones print
`Got async event` for fatal and harmless events alike and go on until a connection fails. `port error`, `port active`,
`GID table changed`, `LID change` and `SM change` are not fatal.)",
     .fix =
         R"(1. `dmesg -T | grep -iE 'mlx5|health|AER|pcie'` on that host: firmware assertions (`assert_var`, `health
   compromised`), PCIe errors, a NIC that overheats.
2. Cordon the node, reset the NIC (`mlxfwreset -d DEV reset`, or a power cycle), update its firmware to the one that
   the driver's release names; swap the card when it comes again.
3. Somebody else may have done it: `mlxfwreset`, a driver reload, a VF that the hypervisor took away, or the end of
   another container that owned the interface.
4. *Local access violation*: as for NCA306 (ACS, IOMMU, nvidia-peermem, DMA-BUF); try `NCCL_NET_GDR_LEVEL=LOC`.
5. `NCCL_IB_RETURN_ASYNC_EVENTS=0` only hides the event; the connections are lost all the same.)"},
    check};

}  // namespace nccl_analyze::nca312
