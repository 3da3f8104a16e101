// NCA406 reports that NVLink SHARP (NVLS) could not be set up, and whether the communicator failed because of it.

#include <utility>

#include "nccl_analyze/events/transport.h"
#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/topics.h"

namespace nccl_analyze::nca406 {

namespace {

std::string what_failed(const Incident& incident) {
  const int code = incident.event.as<NvlsFailed>().code;
  return concat("NVLink SHARP (NVLS) memory could not be bound",
                code >= 0 ? concat(" (CUDA error ", code, ")") : std::string());
}

bool is_of_nvls(const Incident& incident) { return warns(incident.level) && is_about(incident, "nvls-failed"); }

std::string fatal_message(const Incident& incident) {
  return !is_of_nvls(incident) ? std::string() : what_failed(incident) + "; the communicator fails";
}

std::string mild_message(const Incident& incident) {
  return !warns(incident.level) ? what_failed(incident) + "; NCCL goes on without NVLS" : std::string();
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = incident_findings(model, {IncidentKind::nvls_failed}, fatal_message);
  for (Finding& finding : incident_findings(model, {IncidentKind::nvls_failed}, mild_message)) {
    finding.own_severity = Severity::warning;
    verdict.findings.push_back(std::move(finding));
  }
  for (Finding& finding : verdict.findings)
    if (!finding.ranks.empty()) finding.message += concat(", on ", ranks_text(finding.ranks));
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA406",
     .name = "nvls-failed",
     .severity = Severity::error,
     .stage = Stage::setup,
     .check = "transports",
     .title = "NVLink SHARP could not be set up",
     .explanation =
         R"(On NVSwitch machines with Hopper GPUs and later, the switch adds up data on its way (NVLS), which
makes all-reduce inside the machine up to 1.5 times faster. The hardware says that it can, and binding the
memory failed. NCCL 2.27 and 2.28 go on without NVLS and say so in an INFO line only; 2.29 and later, and
`NCCL_NVLS_ENABLE=1`, make it fatal. Behind it is nearly always the node: the fabric manager or the NVSwitches
are not in order.)",
     .fix =
         R"(1. On the node: `systemctl status nvidia-fabricmanager` (its version must equal the driver's),
   `nvidia-smi -q | grep -A3 Fabric` (state Completed, status Success), `dmesg | grep -iE 'sxid|xid'`. Restart
   the fabric manager with no job running, else reboot or replace the node.
   HGX B200 needs NVLSM and the module `ib_umad` besides (`lsmod | grep ib_umad`).
2. MIG, and a virtual machine without a partition of the NVSwitch fabric, have no NVLS. A container with a part of
   the GPUs can have it, with three of them or more (2.30: two).
3. After a CUDA out of memory or a crash of another job, multicast objects can stay in use until its processes
   are gone.
4. To run meanwhile: `NCCL_NVLS_ENABLE=0`, on all ranks.)"},
    check};

}  // namespace nccl_analyze::nca406
