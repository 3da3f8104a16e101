// NCA411 reports host settings (IOMMU, PCIe ACS) that break or slow traffic between devices.

#include <utility>

#include "nccl_analyze/events/environment.h"
#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/search.h"

namespace nccl_analyze {

namespace {

/// Whether the setting affects traffic between devices. RCCL also warns about other host settings: the finding lists
/// them, but they alone do not cause a finding.
bool is_about_peers(std::string_view setting) {
  return contains(setting, "iommu") || contains(setting, "FINE_GRAIN_PCIE");
}

void add_missing_settings(const Model& model, Verdict& verdict) {
  std::vector<std::string> missing;
  std::vector<Index> processes;
  Evidence evidence;
  bool about_peers = false;
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::host_setting_missing) continue;
    const std::string_view setting = incident.event.as<HostSettingMissing>().setting;
    about_peers = about_peers || is_about_peers(setting);
    add_once(missing, concat("`", excerpt(setting, 60), "`"));
    processes.push_back(incident.process);
    evidence.add(incident.evidence);
  }
  if (!about_peers) return;
  Finding& finding = verdict.findings.emplace_back();
  set_scope(model, std::move(processes), finding);
  finding.message = concat("RCCL misses ", list_text(missing), " on this host");
  finding.evidence = std::move(evidence);
}

Verdict check(const Model& model) {
  Verdict verdict;
  add_missing_settings(model, verdict);
  for (Finding& one : incident_findings(model, {IncidentKind::acs_suspected}, [](const Incident&) {
         return std::string("NCCL suspects PCIe ACS behind an InfiniBand protection error: it is a guess of its own");
       })) {
    one.own_severity = Severity::info;
    verdict.findings.push_back(std::move(one));
  }
  return verdict;
}

}  // namespace

extern constinit const Rule iommu_settings{
    {.id = "NCA411",
     .name = "iommu-settings",
     .severity = Severity::warning,
     .stage = Stage::performance,
     .title = "IOMMU or ACS settings of the host may block GPU peer-to-peer",
     .explanation =
         R"(GPUs and network cards write into each other's memory over PCIe. An IOMMU that translates their addresses, or
access control (ACS) on the PCIe switches, sends this traffic up through the CPU's root complex or stops it: P2P becomes
slow, hangs, or delivers wrong data.

RCCL (AMD) reads the kernel's command line and warns, on every start, when `iommu=pt` (before ROCm 6 also
`amd_iommu=on`) is missing: in pass-through mode devices use physical addresses. The warning says what may happen, not
that it did; many machines run well with it. `HSA_FORCE_FINE_GRAIN_PCIE=1` is needed for direct access between GPUs over
PCIe, not over xGMI. `kernel.numa_balancing` makes times vary, no more.

NCCL (2.30.7 and later) prints a hint about ACS behind each InfiniBand error of status 4. It is the same text each time,
and no proof.)",
     .fix =
         R"(1. Add `iommu=pt` (and with AMD CPUs and old ROCm `amd_iommu=on`) to `GRUB_CMDLINE_LINUX`, `update-grub` (Debian, Ubuntu; on RHEL
   `grubby --update-kernel=ALL --args=iommu=pt`), reboot; `cat /proc/cmdline` shows it. On a Kubernetes node it belongs into the node's image or its machine config: a container
   cannot change it.
2. Bare metal: turn ACS off on PCIe switches, in the BIOS or with `setpci -s BDF ECAP_ACS+0x6.w=0000` for each bridge at
   each boot; `sudo lspci -vvv | grep ACSCtl` must show `SrcValid-` (without root it shows nothing at all). `iommu=pt`
   alone leaves ACS on. In a virtual machine ACS must stay on: use ATS on the network cards.
3. `sudo sysctl kernel.numa_balancing=0`; `HSA_FORCE_FINE_GRAIN_PCIE=1` in the environment of all ranks when their GPUs
   are joined by PCIe.
4. To see whether it matters: `rccl-tests` or `nccl-tests` with `-c 1` (checks data), once with `NCCL_P2P_DISABLE=1`.)"},
    check};

}  // namespace nccl_analyze
